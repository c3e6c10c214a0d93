"""A restaurant's booking desk: an agent that asks for a day, a time and a place.

    BARGEIN_AGENT=examples.booking_agent:agent make serve
    make chat       # or Talk on the page; BARGEIN_MODEL=… puts a real model in the script's place

Then: "A table for four". Answer as you like: "next friday", «в пятницу», a press, "the second one".
"skip" takes the default of the place, "cancel" ends it, and "/now a table for six" starts anew.

Each `context.interrupt` says what an answer looks like; reading it, in English and Russian, typed
or spoken, is the gateway's part. What it can't read it asks again, and it never guesses.
"""

from __future__ import annotations

import re
from datetime import date

from pydantic import Field

from examples.playing import Turn, played, story_of
from gateway import Agent, ToolContext, tool
from gateway.ports.model import Model, ModelRequest

INSTRUCTIONS = """\
You take bookings for a restaurant. Book with the tool, which asks the guest for what is missing:
give it only the number of guests. Answer briefly, in the language of the guest.
"""

# Your own calendar would stand here.
FREE = ("18:00", "19:30", "21:00")
BOOKED: list[dict[str, object]] = []


@tool
async def book_table(
    context: ToolContext, guests: int = Field(ge=1, le=12, description="how many come")
) -> dict[str, object]:
    """Book a table. Asks the guest for the day, the time and the place."""
    # The tool runs again from its first line after each answer; those that were given come back at
    # once, in order.
    day = await context.interrupt(message="For which day?", response_schema=date)
    time = await context.interrupt(
        message=f"On {day:%d.%m.} these times are free. Which one?",
        response_schema={"type": "string", "enum": list(FREE)},
    )
    place = await context.interrupt(
        message="Inside or on the terrace?",
        response_schema={
            "oneOf": [
                {"const": "inside", "title": "Inside"},
                {"const": "terrace", "title": "Terrace"},
            ],
            "default": "inside",
        },
    )
    booking = {"guests": guests, "day": day.isoformat(), "time": time, "place": place}
    await context.once("book", lambda: BOOKED.append(booking))
    return booking


def booking_agent(model: Model) -> Agent:
    """The booking desk on any model."""
    return Agent("booking", model, INSTRUCTIONS, [book_table])


NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "двоих": 2, "четверых": 4}


def script(request: ModelRequest) -> Turn:
    """What a model would do next."""
    story = story_of(request)
    booked = story.result("book_table")
    if booked is not None and booked.error is None:
        return Turn(f"It is booked: {booked.content}")
    if booked is not None:
        return Turn("I have booked nothing.")
    words = re.findall(r"\w+", " ".join(story.said).lower())
    guests = [int(word) if word.isdecimal() else NUMBERS.get(word) for word in words]
    known = [number for number in guests if number]
    if not known:
        return Turn("Hello! For how many shall I book a table?")
    return Turn("Gladly. ", "book_table", {"guests": known[-1]})


# A model that bargein.toml or BARGEIN_MODEL names is put in the script's place.
agent = booking_agent(played(script))
