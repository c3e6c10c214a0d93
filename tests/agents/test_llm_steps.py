"""Steps of a run over a provider: calls out, results in, with the log between them."""

from gateway.agents.llm import PydanticAIModel, llm_model
from gateway.core.messages import AssistantMessage, Message, ToolResult, UserMessage
from gateway.ports.model import CallDelta, Finished, ModelRequest, TextDelta, ToolSpec
from tests.fakes.provider import FakeProvider, calls, fragments, says

ADD = ToolSpec(
    "add",
    "Add two numbers.",
    {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}},
)


async def a_step(model: PydanticAIModel, messages: list[Message]) -> AssistantMessage:
    """One model call and its tools; the messages grow as a run's do."""
    text, deltas, finished = "", [], Finished()
    async with model.stream(ModelRequest("Add.", tuple(messages), (ADD,))) as events:
        async for event in events:
            match event:
                case TextDelta(more):
                    text += more
                case CallDelta():
                    deltas.append(event)
                case Finished():
                    finished = event
    said = AssistantMessage(text, tuple(d.call for d in deltas), finished.provider_parts)
    messages.append(said)
    messages.extend(result_of(delta) for delta in deltas)
    return said


def result_of(delta: CallDelta) -> ToolResult:
    call = delta.call
    if delta.problem is not None:
        return ToolResult(call.id, call.name, delta.problem, "TOOL_ARGUMENTS_INVALID")
    total = sum(value for value in call.arguments.values() if isinstance(value, int))
    return ToolResult(call.id, call.name, str(total))


async def test_a_model_that_calls_wrongly_reads_why_and_then_the_result():
    answers = (
        calls(*fragments(0, "call_0", "add", '{"a": 2, "b"')),
        calls(*fragments(0, "call_0", "add", '{"a": 2,', ' "b": 3}'), text="Again."),
        says("It is ", "5."),
    )
    async with FakeProvider(*answers) as provider:
        model = llm_model("small", base_url=provider.base_url)
        messages: list[Message] = [UserMessage("What is 2 + 3?")]
        while (await a_step(model, messages)).calls:
            pass
        await model.aclose()
        last = provider.exchanges[2].messages()
    assert messages[-1] == AssistantMessage("It is 5.")
    assert [message["role"] for message in last] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
    ]
    assert last[3]["content"].startswith("TOOL_ARGUMENTS_INVALID: The arguments are no valid JSON")
    assert last[4]["content"] == "Again."
    assert last[5] == {"role": "tool", "tool_call_id": "call_0_2", "content": "5"}
