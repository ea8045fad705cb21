/**
 * Starts a reply over gRPC and answers what its agent asks, until it is over:
 *
 *     msgfold serve &
 *     node answer.js http://127.0.0.1:50051 "tidy up"
 */

import { getTextContent } from "msgfold";
import { GrpcReplyClient } from "msgfold/grpc";

const [url = "http://127.0.0.1:50051", text = "tidy up"] = process.argv.slice(2);
const client = new GrpcReplyClient(url);

let stream = client.replyStream(text, { fold: true });
for (;;) {
  let last;
  // To its end: whoever leaves at the question, before the state has come, cancels the reply.
  for await (const event of stream) last = event;
  console.log(stream.state);

  const answer = answerTo(last);
  if (answer === undefined) break;
  stream = client.replyStream(answer, { msg: stream.msg });
}
console.log(getTextContent(stream.msg));

/** Says yes to everything, and pretends to have done what is to be done elsewhere. */
function answerTo({ type, reply_id, tool_calls }) {
  if (type === "REQUIRE_USER_CONFIRM") {
    const confirm_results = tool_calls.map((tool_call) => ({ confirmed: true, tool_call }));
    return { type: "USER_CONFIRM_RESULT", reply_id, confirm_results };
  }
  if (type === "REQUIRE_EXTERNAL_EXECUTION") {
    const done = { type: "tool_result", output: "done", state: "success" };
    const execution_results = tool_calls.map(({ id, name }) => ({ ...done, id, name }));
    return { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results };
  }
  return undefined;
}
