"""English words about the conversation itself, in the notation of `patterns`."""

from __future__ import annotations

from collections.abc import Mapping

CONTROLS: Mapping[str, str] = {
    "stop": """
        [please] stop [it|that|this|now|please|right there|everything], halt, abort, stop stop,
        stop talking, be quiet, quiet, shut up, enough, (that's|that is) enough
    """,
    "cancel": """
        [please] cancel [it|that|this|please|everything], never mind, nevermind, forget (it|that),
        forget about (it|that), call it off, cancel the question
    """,
    "skip": """
        [please] skip [it|this|that|please|this one|that one|the question|this question],
        pass on (this|that), next question, next one please
    """,
    "repeat": """
        [please] repeat [that|it|this|please|the question|yourself], say [that|it] again [please],
        come again, [one|once] more time, once more, pardon, pardon me, again please, what was that,
        (can|could|would|will) you [please] (repeat [that|it|the question]|say [that|it] again)
    """,
    "help": """
        [please] help [me|please], what can i (say|answer), options, what are (the|my)
        (options|choices), what (options|choices) are there, list [the] options, show [me]
        [the] options
    """,
}
HOLD = """
    [please] (wait|hold on|hang on) [please|a (second|sec|minute|moment)|one
    (second|sec|minute|moment)], hold it, hold up, wait wait, bear with me, stand by, a
    (second|sec|minute|moment) [please], (just a|one|just one) (second|sec|minute|moment)
    [please], let me think, (give|gimme) me (a|one) (second|sec|minute|moment)
"""
RESUME = """
    [(you|we) (can|may)|let's|please|now] (go on|go ahead|continue|carry on|proceed|keep going),
    resume, [yes] (i'm|i am) listening, [(i'm|i am)] ready to (go on|continue|proceed|listen),
    (continue|go on|carry on) (speaking|talking|reading), you can (speak|talk)
"""
READY = """
    ready, let's (go|do|move on), go for it, good to go, all (good|set), start, feel free, go right
    ahead, press on, push ahead, (move|go|going) (ahead|forward), give it a go, fire away, now
"""
SETTLED = """
    [oh|so|well] (ok|okay|alright|all right|right|fine|good|great|cool|perfect) [then|now|ok|okay|
    good|great|thanks]
"""
BACKCHANNELS = """
    uh huh, mhm, mm hmm, mmhmm, mm, hmm, m hm, yeah, yep, yes, ok, okay, right, i see, got it, sure,
    alright, all right, oh, ah, aha, wow, really, cool, good, great, nice, fine, true, interesting,
    of course, exactly, yup, huh, oh okay, oh really, i understand, [that] makes sense, understood,
    ha, ha ha, haha,
    uh, um, (i|you) (get|got) it, gotcha, i hear you, fair enough, absolutely, definitely, totally,
    for sure, [oh] (wow|nice|great|cool), (you're|that's|you are|that is) (right|true|great|good),
    i know, no way, no kidding, sounds good, perfect, excellent, very (good|nice), oh (i see|right|
    yes|yeah|good), ah (i see|okay|ok|right|yes), okay then, alright then, all okay
"""
PRESENCE = """
    hello, hi, hey, [are] you [still] there, still there, (anybody|anyone) there,
    is (anybody|anyone) there, (can|do) you hear me, can anyone hear me, hello hello, you with me
"""
CORRECTIONS = """
    wait, no wait, wait no, i mean, i meant, sorry, actually, scratch that, rather,
    correction, oops, make that, my bad, my mistake, no sorry, sorry no, i said, no i mean,
    no i meant, or rather
"""
