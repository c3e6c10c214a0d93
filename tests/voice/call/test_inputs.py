"""What a caller says goes to the engine, whatever becomes of telling them so."""

import asyncio

import pytest

from gateway.entering import Receipt
from gateway.supervise import Supervisor
from voice.call_inputs import Handed, Inputs

pytestmark = pytest.mark.looptime


async def test_what_breaks_on_hearing_of_one_input_holds_up_no_other():
    sent: list[str] = []
    told: list[str] = []
    failed: list[str] = []

    def report(where: str, error: BaseException) -> str:
        failed.append(str(error))
        return ""

    def done(handed: Handed, code: str) -> None:
        told.append(handed.dedup)
        raise RuntimeError(f"broke on {handed.dedup}")

    def handed(name: str, code: str = "THREAD_BUSY") -> Handed:
        async def send() -> Receipt:
            sent.append(name)
            return Receipt(code=code)

        return Handed(name, send)

    inputs = Inputs(Supervisor(lambda where, error: None), report, done)
    for name in ("a", "b"):
        inputs.hand(handed(name))
    await asyncio.sleep(1)
    inputs.hand(handed("c", ""))
    await asyncio.sleep(1)
    inputs.taken_up("c")
    inputs.close()
    inputs.hand(handed("d"))
    assert sent == ["a", "b", "c"]
    assert told == ["a", "b", "c", "d"]
    assert failed == [f"broke on {name}" for name in told]
    assert inputs.idle
