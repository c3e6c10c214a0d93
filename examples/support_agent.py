"""A shop's support desk: an agent of your own, with three tools that are worth copying.

    export BARGEIN_CONFIG=examples/bargein.toml BARGEIN_MODEL_API_KEY=…
    make serve
    make chat

Then: "My lamp arrived broken, order 1042. I want my money back."

It shows what a tool has to say about itself so that people can interrupt it:

* `look_up_order` runs to its end whatever happens (the default) and its result is kept;
* `open_return` asks for what is missing, with a pydantic model as the form of the answer;
* `refund` needs a person's approval each time, and pays once, however often it is run again.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel, Field

from gateway import Agent, InterruptBehavior, ToolContext, tool
from gateway.agents.llm import llm_model
from gateway.ports.model import Model

INSTRUCTIONS = """\
You are the support desk of a lamp shop. Look an order up before you say anything about it. Open a
return before you refund. Never promise a refund: it needs an approval, which the tool asks for.
Answer briefly, in the language of the customer.
"""


class Order(BaseModel):
    """An order of the shop."""

    number: int
    item: str
    paid_euro: float
    status: str


class ReturnDetails(BaseModel):
    """What a return needs to know. Each field becomes a part of the question's form."""

    reason: Literal["broken", "wrong item", "changed my mind"] = Field(description="why")
    pick_up: date = Field(description="the day on which we collect it")


# Your shop's own service would stand here.
ORDERS = {1042: Order(number=1042, item="desk lamp", paid_euro=49.0, status="delivered")}
PAYMENTS: list[tuple[int, float]] = []


def pay_back(order: int, euro: float) -> int:
    """Pays, and returns the payment's number."""
    PAYMENTS.append((order, euro))
    return len(PAYMENTS)


@tool(behavior=InterruptBehavior.NON_INTERRUPTIBLE)
async def look_up_order(number: int) -> Order | str:
    """Look an order up by its number."""
    return ORDERS.get(number, f"There is no order {number}.")


@tool
async def open_return(context: ToolContext, order: int) -> dict[str, object]:
    """Open a return. Asks the customer for the reason and the day of collection."""
    # The first time this pauses the run, for a minute or for a day, over restarts too. With the
    # answer the function runs again from its first line, so nothing before this may act.
    details = await context.interrupt(
        message=f"About the return of order {order}: why, and when may we collect it?",
        response_schema=ReturnDetails,
    )
    return {"order": order, "reason": details.reason, "pickUp": details.pick_up.isoformat()}


@tool(
    behavior=InterruptBehavior.COOPERATIVE,
    approval=True,  # a person is shown these very arguments, and approves them or does not
    destructive=True,  # "always allow" is never offered
    timeout_seconds=30,
)
async def refund(
    context: ToolContext,
    order: int,
    euro: float = Field(gt=0, le=500, description="the amount, at most what was paid"),
) -> dict[str, object]:
    """Pay an amount back to the customer."""
    context.signal.checkpoint()  # stopped in the meantime? then nothing is paid
    payment = await context.once("pay", lambda: pay_back(order, euro))
    return {"order": order, "euro": euro, "payment": payment}


def support_agent(model: Model) -> Agent:
    """The support desk on any model."""
    return Agent("support", model, INSTRUCTIONS, [look_up_order, open_return, refund])


# A model that bargein.toml or BARGEIN_MODEL names is put in this one's place.
agent = support_agent(llm_model("openai:gpt-4o-mini"))
