// A testee to start from, in Java 17 or newer, with Gson.
//
//     mvn dependency:copy -Dartifact=com.google.code.gson:gson:2.13.2 -DoutputDirectory=lib
//     msgfold conformance run -- java -cp lib/gson-2.13.2.jar Testee.java
//
// It folds text, so some cases pass at once. fold is where a call of your own reducer goes; the
// rest is the protocol: one JSON object a line, requests in, replies out, logs on standard error.

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

public final class Testee {
    /** The releases that you behave as, the operations you have, what you can beyond the Msg. */
    private static final String ABOUT =
            """
            {"name": "skeleton", "language": "java", "version": "0.1.0", "protocol": 1,
             "revisions": ["2.0.4"], "ops": ["fold"], "features": []}""";

    private static final Gson JSON =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    /** The Msg after the events. Replace it. */
    private static JsonElement fold(JsonElement msg, JsonArray events) {
        for (JsonElement event : events) {
            msg = appendEvent(msg, event.getAsJsonObject());
        }
        return msg;
    }

    private static JsonElement appendEvent(JsonElement before, JsonObject event) {
        String kind = event.get("type").getAsString();
        if (kind.equals("REPLY_START") && before.isJsonNull()) {
            return started(event);
        }
        if (before.isJsonNull() || !event.get("reply_id").equals(id(before))) {
            return before; // of another reply
        }
        JsonObject msg = before.getAsJsonObject();
        JsonArray content = msg.getAsJsonArray("content");
        switch (kind) {
            case "TEXT_BLOCK_START" -> {
                JsonObject block = new JsonObject();
                block.addProperty("type", "text");
                block.addProperty("text", "");
                block.add("id", event.get("block_id"));
                content.add(block);
            }
            case "TEXT_BLOCK_DELTA" -> {
                for (JsonElement each : content) {
                    JsonObject block = each.getAsJsonObject();
                    boolean isText = block.get("type").getAsString().equals("text");
                    if (isText && id(block).equals(event.get("block_id"))) {
                        String text = block.get("text").getAsString();
                        block.addProperty("text", text + event.get("delta").getAsString());
                        break;
                    }
                }
            }
            case "REPLY_END" -> msg.add("finished_at", event.get("created_at"));
            default -> {}
        }
        return msg;
    }

    private static JsonObject started(JsonObject event) {
        JsonObject msg = new JsonObject();
        msg.add("name", event.get("name"));
        msg.add("content", new JsonArray());
        msg.addProperty("role", event.has("role") ? event.get("role").getAsString() : "assistant");
        msg.add("id", event.get("reply_id"));
        msg.add("metadata", new JsonObject());
        msg.add("created_at", event.get("created_at"));
        msg.add("finished_at", JsonNull.INSTANCE);
        msg.add("usage", JsonNull.INSTANCE);
        return msg;
    }

    private static JsonElement id(JsonElement value) {
        return value.getAsJsonObject().get("id");
    }

    /** The result of one request. */
    private static JsonElement answer(JsonObject request) {
        if (request.get("op").getAsString().equals("describe")) {
            return JsonParser.parseString(ABOUT);
        }
        JsonObject given = request.getAsJsonObject("input");
        if (!given.has("events")) {
            throw new UnsupportedOperationException("events as text are not read yet");
        }
        JsonObject result = new JsonObject();
        result.add("msg", fold(given.get("msg"), given.getAsJsonArray("events")));
        return result;
    }

    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonObject request = JsonParser.parseString(line).getAsJsonObject();
            JsonObject reply = new JsonObject();
            reply.add("id", request.get("id"));
            try {
                reply.add("result", answer(request));
            } catch (RuntimeException error) { // your own fault, told apart from a wrong answer
                reply.addProperty("failure", error.toString());
            }
            out.println(JSON.toJson(reply));
        }
    }
}
