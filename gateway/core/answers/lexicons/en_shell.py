"""English words that may stand round a value, by role (the letters are explained in `shell`)."""

from __future__ import annotations

from collections.abc import Mapping

ROLES: Mapping[str, str] = {
    "f": "hmm, hmmm, hm, okay so, alright so",
    "N": "no, nope, nah, no no",
    "K": """
        i, we, letter, [the] year, set [it|that|this] [to|at|as], let it be, (let's|let us)
        [do|use|go with|go for|have|take|pick |choose|make it|try], go with, go for, go
        [to|for], (i'd|i would) (like|prefer|choose|pick|take |go with|go for|say) [to
        (use|have|choose|pick|go with|take)], i (want|need|choose|pick|select |prefer|take)
        [to (use|choose|pick|go with|have|take)], i am going (with|for), i'm going
        (with|for), going with, (i'll|i will) (take|have|go with|go
        for|choose|pick|use|need|want |do|say), (give|get|bring) me, gimme, we
        (need|want|use|have|choose|should use|'ll take), we'll (take|use|need|have|go with),
        use, choose, pick, select, take, try, want, need, prefer, [my|the]
        (choice|answer|selection|pick|preference|vote|value|number|name|email|e mail|address
        |phone|phone number|number|pin|code|pin code|email address|mail) [is|would be|will
        be], it's, it is, that's, that is, that'd be, that would be, it would be, it should
        be, should be, must be, will be, is, be, put [it|that|this|them] [in|on|at|to|into],
        in, on, to, at, into, for, the, a, an, with, from, via, under the name, onto,
        (deploy|run|ship|send|move|push|host|launch|start|roll|release|keep|place|store|install|migrate
        |release|publish|make|schedule|book|call|transfer|pay|charge|refund|scale|spin up)
        [it|that|this |them|everything|him|her] [out] [to|in|on|at|into|for|from|over
        to|onto|up to], switch [it|that] [to|over to], change [it] to, turn [it|that|this]
        [to], scale [it] [up] to, as, value, definitely, certainly, surely, exactly,
        precisely, of course, absolutely, total, in total, altogether, all in all, equals,
        equal to, just about nothing, how about we use, i (say|vote|vote for), mine is, here
        is, here's, here you go, reply, i'd, i would, make it, option, i'm for, i said, this
        is, and the answer is, for this one, for me, it goes to, goes to, count, number of,
        please (use|set|put|take|choose|pick|select|make it|go with|deploy|give me), it to,
        me down for
    """,
    "o": "it, this, that, them, these, one, ones, option, choice",
    "J": "only, just, simply, nothing but, solely, merely, straight",
    "X": "not, don't, do not, never, dont, isn't, not in, not the, not on, not to, anything but,"
    " no to",
    "B": "but, rather",
    "A": "and, plus also, as well as, also, along with, together with, then, &, +, followed by",
    "O": "or, or maybe, and or, versus, vs, either, whichever, one of, any of, whether",
    "E": "except, except for, but not, excluding, apart from, other than, without, minus, save for,"
    " but no, besides",
    "L": "all, (all|every one) of them, everything, every one, each of them, the lot,"
    " the whole lot, all of these, all of those, every, all options, both, both of them,"
    " all together, all of it, all the options, the whole set, all three, all four, all two,"
    " all five, all six, every single one, any and all, anything and everything",
    "0": "none, none of them, none of these, none of those, none of the above, nothing,"
    " neither, neither of them, no one, nobody, not any, not one, no options, not a single one,"
    " zero of them, empty, nothing at all, none at all, no items, leave it empty",
    "R": """
        about, around, approximately, roughly, circa, nearly, almost, close to, or so, ish, at
        least, at most, more than, less than, fewer than, over, above, under, below, up to, no more
        than, no less than, no fewer than, not more than, not less than, between, from, minimum,
        maximum, min, max, at minimum, at maximum, or more, or less, or fewer, some, several, few,
        a few, many, lots, lots of, lot, a lot, a bunch, bunch, tons, plenty, dozens, hundreds,
        thousands, millions, tens, any, anywhere, somewhere, something, something like, in the
        region of, give or take, upwards of, in excess of, no later than, or thereabouts,
        thereabouts, before, after, by about, by, until, till, ballpark, odd, sometime, some time,
        through, past, within, not exceeding, near, towards, as many as, as much as, a little,
        beyond, since
    """,
    "Z": """
        more, less, fewer, extra, additional, another, each, apiece, per, every, times as many,
        times more, percent more, higher, lower, bigger, smaller, again as many, a day, a week,
        a month, an hour, a year, a minute, a piece, too many, too few, x, ago, left, remaining
    """,
    "H": """
        maybe, perhaps, probably, possibly, like, i guess, i suppose, i think, i believe, i'd guess,
        might be, could be, may be, maybe like, kind of, sort of, kinda, say, let's say,
        supposedly, i'm thinking, i reckon, [i'm|i am] not (sure), unsure, whatever, whichever, i
        don't know, don't know, dunno, idk, if possible, ideally, preferably, tentatively,
        hopefully, looks like, seems like, seems, must have been, i don't (mind|care), don't
        care, up to you, you choose, you pick, you decide, surprise me, doesn't matter, no
        preference, i assume, likely, presumably, as you wish, your call, your choice, who knows,
        no idea, leaning towards, leaning, depends
    """,
    "Q": "if, unless, provided, as long as, when, once, in case, assuming, only if, so long as,"
    " whenever, otherwise, first of all check, depending on, as soon as, because, since it's",
    "D": """
        later, not yet, not now, one second, one sec, one moment, one minute, a second, a
        moment, a minute, a sec, just a (second|minute|moment|sec), in a minute, in a
        second, in a moment, soon, take (five|ten), wait a (second|minute|moment),
        hold on a second, give me
        a (second|minute|moment|sec), two seconds, two secs, hang on a second, hang on a
        minute, let me think, let me check, ask me (later|tomorrow), five more minutes, half
        a second, not today, split second, wait one second, wait one minute
    """,
    "U": """
        good friday, no one, someone, this one, that one, which one, another one, other one, the
        other one, one of these, one of those, one day, one by one, one another, everyone, anyone,
        any one, the one, the right one, the wrong one, same one, a different one, one of
        the, [i] second (that|it), for one thing, second thoughts, on second thought not,
        second (to last), second last, next to last, third from last, last time, last week,
        last year, last month, at first, first of all, first time, in the first place, at last, at
        once, once, twice, thrice, one time, come on, go (on|off),
        (take|put|get|log|show|call|lay|kick|pay|set|based|move|carry|keep|try|live|hang|hold|turned|switched)
        (on|off), hold on to, and on, so on, based on, off course, and so on, tell us, to
        us, let us know, give us, both of us, all of us, with us, of us, for us, contact us,
        join us, i did, i was, i had, used to be, yesterday, last night, one more thing, a
        one
    """,
}

HOMOPHONES: Mapping[str, str] = {
    "to": "two",
    "too": "two",
    "won": "one",
    "wan": "one",
    "tree": "three",
    "for": "four",
    "fore": "four",
    "ate": "eight",
    "sicks": "six",
    "fife": "five",
    "nein": "nine",
}

POSITION_MARKS = frozenset(
    "very option number choice variant item no answer opt alternative".split()
)
POSITION_NOUNS = frozenset("one option choice variant item answer alternative".split())
LAST = frozenset({"last"})
PAIRS = frozenset({"both"})
