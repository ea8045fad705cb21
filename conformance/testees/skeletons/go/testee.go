// A testee to start from, in Go.
//
//	go build -o testee . && msgfold conformance run -- ./testee
//
// It folds text, so some cases pass at once. fold is where a call of your own reducer goes; the
// rest is the protocol: one JSON object a line, requests in, replies out, logs on standard error.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

type object = map[string]any

var about = object{
	"name":      "skeleton",
	"language":  "go",
	"version":   "0.1.0",
	"protocol":  1,
	"revisions": []string{"2.0.4"}, // the AgentScope releases that you behave as
	"ops":       []string{"fold"},  // and validate, decode, to_proto, from_proto, as you have them
	"features":  []string{},        // what you can beyond the Msg: diagnostics, pointers, ...
}

// fold gives the Msg after the events. Replace it.
func fold(msg object, events []object) object {
	for _, event := range events {
		msg = appendEvent(msg, event)
	}
	return msg
}

func appendEvent(msg, event object) object {
	if event["type"] == "REPLY_START" && msg == nil {
		role := event["role"]
		if role == nil {
			role = "assistant"
		}
		return object{
			"name":        event["name"],
			"content":     []any{},
			"role":        role,
			"id":          event["reply_id"],
			"metadata":    object{},
			"created_at":  event["created_at"],
			"finished_at": nil,
			"usage":       nil,
		}
	}
	if msg == nil || event["reply_id"] != msg["id"] {
		return msg // of another reply
	}
	content, _ := msg["content"].([]any)
	switch event["type"] {
	case "TEXT_BLOCK_START":
		block := object{"type": "text", "text": "", "id": event["block_id"]}
		msg["content"] = append(content, block)
	case "TEXT_BLOCK_DELTA":
		for _, each := range content {
			block, _ := each.(object)
			if block["type"] == "text" && block["id"] == event["block_id"] {
				block["text"] = fmt.Sprint(block["text"], event["delta"])
				break
			}
		}
	case "REPLY_END":
		msg["finished_at"] = event["created_at"]
	}
	return msg
}

type request struct {
	ID    int64  `json:"id"`
	Op    string `json:"op"`
	Input struct {
		Msg    object   `json:"msg"`
		Events []object `json:"events"`
		Text   *string  `json:"text"`
	} `json:"input"`
}

// answer gives the result of one request.
func answer(asked request) (any, error) {
	if asked.Op == "describe" {
		return about, nil
	}
	if asked.Input.Text != nil {
		return nil, errors.New("events as text are not read yet")
	}
	return object{"msg": fold(asked.Input.Msg, asked.Input.Events)}, nil
}

func respond(line []byte) object {
	var asked request
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber() // keeps numbers as they were written
	if err := decoder.Decode(&asked); err != nil {
		// Events that are no objects come in some cases, too.
		return object{"id": asked.ID, "failure": err.Error()}
	}
	result, err := answer(asked)
	if err != nil {
		return object{"id": asked.ID, "failure": err.Error()}
	}
	return object{"id": asked.ID, "result": result}
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout) // one object a line, written at once
	out.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := out.Encode(respond(line)); err != nil {
				return // the runner has gone
			}
		}
		if err == io.EOF {
			return
		}
	}
}
