"""A shop's support desk: an agent of your own, with three tools that are worth copying.

    export BARGEIN_CONFIG=examples/bargein.toml BARGEIN_ACCESS__APPROVERS=$(whoami)
    make serve
    make chat       # BARGEIN_MODEL=… before make serve puts a real model in the script's place

Then: "My lamp arrived broken, order 1042. I want my money back."

It shows what a tool has to say about itself so that people can interrupt it:

* `look_up_order` runs to its end whatever happens (the default) and its result is kept;
* `open_return` asks for what is missing, with a pydantic model as the form of the answer;
* `refund` asks a manager (`access.approvers`), in the manager's own chat, and pays once, however
  often it is run again.
"""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Literal

from pydantic import BaseModel, Field

from examples.playing import Turn, played, story_of
from gateway import Agent, InterruptBehavior, ToolContext, tool
from gateway.ports.model import Model, ModelRequest

INSTRUCTIONS = """\
You are the support desk of a lamp shop. Look an order up before you say anything about it. Open a
return before you refund. Never promise a refund: a manager approves it, whom the tool asks.
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


@tool(behavior=InterruptBehavior.COOPERATIVE, destructive=True)
async def refund(
    context: ToolContext,
    order: int,
    euro: float = Field(gt=0, le=500, description="the amount, at most what was paid"),
) -> dict[str, object] | str:
    """Pay an amount back to the customer, once a manager has approved it."""
    # The customer is told that somebody else is asked, and may go on talking. Only a press, a reply
    # to the question or a plain "yes" in the manager's own chat approves.
    verdict = await context.interrupt(
        kind="approval",
        to="approvers",
        message=f"May {euro:.2f} € for order {order} be paid back?",
        details={"order": order, "euro": euro},
    )
    if not verdict["approved"]:
        return f"Not approved: {verdict.get('reason') or 'no reason given'}."
    context.signal.checkpoint()  # stopped in the meantime? then nothing is paid
    payment = await context.once("pay", lambda: pay_back(order, euro))
    return {"order": order, "euro": euro, "payment": payment}


def support_agent(model: Model) -> Agent:
    """The support desk on any model."""
    return Agent("support", model, INSTRUCTIONS, [look_up_order, open_return, refund])


def script(request: ModelRequest) -> Turn:
    """What a model would do next."""
    story = story_of(request)
    number = next(iter(re.findall(r"\d+", " ".join(story.said))), None)
    order, opened, paid = map(story.result, ("look_up_order", "open_return", "refund"))
    if number is None:
        return Turn("Hello! Which order is it about? Tell me its number.")
    if order is None:
        return Turn("I look it up. ", "look_up_order", {"number": int(number)})
    if not order.content.startswith("{"):
        return Turn(order.content)
    found = Order.model_validate_json(order.content)
    if opened is None:
        return Turn(f"Your {found.item}, I see. ", "open_return", {"order": found.number})
    if opened.error is not None:
        return Turn("Then I leave it. Tell me if you want to send it back after all.")
    if paid is None:
        asked = {"order": found.number, "euro": found.paid_euro}
        return Turn("I ask for your refund. ", "refund", asked)
    if not paid.content.startswith("{"):
        return Turn(f"I am sorry, there is no refund. {paid.content}")
    return Turn(f"Your {json.loads(paid.content)['euro']:.2f} € are on their way.")


# A model that bargein.toml or BARGEIN_MODEL names is put in the script's place.
agent = support_agent(played(script))
