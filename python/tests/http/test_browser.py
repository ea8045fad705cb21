"""A browser's own ``EventSource`` reads a reply, across origins and through a network that breaks.

The page is served from another port than the replies, so it is CORS that lets it read them.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import msgfold
import pytest
from agents import Steady, events, eventually, hurried
from browser import Cutting, Page, chromium, opened
from msgfold.wire.decode import EVENT_TYPES

pytestmark = pytest.mark.anyio

WORDS = 400
PATIENCE = 180
"""Seconds for a browser to start, and to come back three times, on a slow machine."""

SCRIPT = """<!doctype html><title>replies</title><script>
const seen = [], trouble = [];
const done = (said) => fetch("/", {method: "POST", body: JSON.stringify(said)});
const api = "%(api)s", types = %(types)s;
async function main() {
%(body)s
}
main().catch((error) => done({failed: String(error)}));
</script>"""

START = """
  const asked = await fetch(api + "/replies", {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({
      linger_seconds: 60,
      messages: [{role: "user", name: "a", content: [{type: "text", text: "r1"}]}]})});
  const made = await asked.json();
"""

READ = """
  const source = new EventSource(api + made.events);
  source.onerror = () => {
    trouble.push(source.readyState);
    if (source.readyState === EventSource.CLOSED) done({seen, trouble, closed: true});
  };
  const take = (message) => seen.push(
    {id: message.lastEventId, type: message.type, data: JSON.parse(message.data)});
  for (const type of types) source.addEventListener(type, take);
  source.onmessage = take;
"""


@pytest.fixture(autouse=True)
def browser():
    if chromium() is None:
        why = "no Chromium here: apt-get install chromium"
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)


async def look(tmp_path, api, body):
    """What a page with this script says in the end."""
    types = [str(each) for each in EVENT_TYPES]
    with Page(SCRIPT % {"api": api, "types": types, "body": body}) as page:
        async with opened(page, tmp_path / "profile") as process:
            await eventually(lambda: page.said.done() or process.poll() is not None, PATIENCE)
            log = (tmp_path / "chromium.log").read_text(errors="replace")
            assert page.said.done(), f"Chromium has left: {log[-2000:]}"
            said = page.said.result()
    assert "failed" not in said, said
    return said


async def test_an_event_source_gets_each_event_once_though_it_is_cut_off(web, tmp_path):
    server = await web(lambda _: Steady(WORDS, 0.001), cors_origins=["*"])
    there = urlsplit(server.url)
    cuts = (5_000, 20_000, 100)
    async with Cutting((there.hostname, there.port), cuts) as network:
        said = await look(tmp_path, network.url, START + READ)
        assert network.cut == len(cuts)
    expected = [event.model_dump(mode="json") for event in events("r1", WORDS)]
    assert [each["data"] for each in said["seen"]] == expected
    assert [each["id"] for each in said["seen"]] == [event["id"] for event in expected]
    assert [each["type"] for each in said["seen"]] == [event["type"] for event in expected]
    assert msgfold.fold([each["data"] for each in said["seen"]]) == msgfold.fold(
        events("r1", WORDS)
    )
    assert said["closed"], "204 has told it that nothing more will come"
    # It was connecting again after each cut and after the end, and closed then.
    assert said["trouble"] == [0] * (len(cuts) + 1) + [2]


ANSWER = """
  take.question = (message) => fetch(api + "/replies", {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({
      answer: {type: "USER_CONFIRM_RESULT", reply_id: made.reply_id, confirm_results:
        JSON.parse(message.data).tool_calls.map((c) => ({confirmed: false, tool_call: c}))}})});
  source.addEventListener("REQUIRE_USER_CONFIRM", take.question);
  source.addEventListener("REQUIRE_EXTERNAL_EXECUTION", async () => {
    source.close();
    let reply;  // the question comes a moment before the agent has stopped
    do reply = await (await fetch(api + "/replies/" + made.reply_id)).json();
    while (reply.state === "running");
    const stop = await fetch(api + "/replies/" + made.reply_id, {method: "DELETE"});
    done({seen, trouble, reply, stopped: await stop.json()});
  });
"""


async def test_a_page_answers_reads_the_msg_and_stops_the_reply(web, tmp_path):
    server = await web(hurried, cors_origins=["*"])
    said = await look(tmp_path, server.url, START + READ + ANSWER)
    kinds = [each["type"] for each in said["seen"]]
    assert kinds.index("REQUIRE_USER_CONFIRM") + 1 == kinds.index("USER_CONFIRM_RESULT")
    assert said["reply"]["state"] == "waiting_execution"
    folded = msgfold.fold([each["data"] for each in said["seen"]], on_diagnostic=lambda _: None)
    assert said["reply"]["msg"] == msgfold.dump(folded)
    assert said["stopped"]["state"] == "finished"
    assert said["trouble"] == []


async def test_a_page_of_another_origin_may_not(web, tmp_path):
    agents = []

    def factory(session_id):
        agents.append(session_id)
        return Steady(3)

    server = await web(factory, cors_origins=["https://app.example"])
    body = """
      const tried = [], body = JSON.stringify({
        messages: [{role: "user", name: "a", content: [{type: "text", text: "r2"}]}]});
      const kinds = ["application/json", "text/plain"];
      for (const kind of kinds) for (const mode of ["cors", "no-cors"])
        tried.push(await fetch(api + "/replies", {method: "POST", mode, body,
          headers: {"Content-Type": kind}}).then((a) => a.type, () => "refused"));
      const source = new EventSource(api + "/replies/r1/events");
      source.onerror = () => done({tried, state: source.readyState});
    """
    await server.start("r1")
    agents.clear()
    said = await look(tmp_path, server.url, body)
    # A browser that may not read still sends what it need not ask for; the server does not take it.
    assert said["tried"] == ["refused", "opaque", "refused", "opaque"]
    assert said["state"] == 2
    assert agents == []
