"""English words of consent and refusal, by role (the letters are explained in `yesno`)."""

from __future__ import annotations

from collections.abc import Mapping

TURNS = "[i|i've|i have] changed my mind"
APART = ""
HALTS = "stop, wait, hold on, hang on"
ROLES: Mapping[str, str] = {
    "y": """
        yes, y, yep, yup, yas, yass, aye, ok, okay, okey, oki, okie, okey dokey, okie dokie,
        okey doke, okely dokely, k, kk, okk, sure, sure thing, true, right, alright, all
        right, correct, that's right, fine, affirmative, affirm, affirmed, roger, roger
        that, copy that, ten four, deal, done deal, gladly, yessir, yes sir, yes ma'am, you
        bet, you betcha, you got it, by all means, naturally, positive, uh huh, mhm, mm hmm,
        mmhmm, mm hm, mhmm, m hm, uhuh yes, yuh, yee, yis, ye, yse, eys, yeas, yess, yesh,
        agreed, granted, approved, accepted, confirmed, permitted, allowed, authorized,
        authorised, acknowledged, ack, sounds
        (good|great|fine|perfect|right|ok|okay|alright|lovely|like a plan|good to me |great
        to me|fine to me), [it|that] works [for me], that (works|suits me), suits me,
        (that's|that is|it's|it is) (fine|ok|okay|alright|all
        right|correct|right|true|good|great |perfect|accurate|exact|it) [by me|with me|for
        me], fine (by|with) me, (ok|okay) (by|with) me, (good|great) with me, good by me,
        looks (good|great|fine|right|correct|ok|okay) [to me], lgtm, (i'm|i am|we're|we
        are|i am all) (in|down|game|ok with (it|that|this)|okay with (it|that|this)|fine
        with (it|that|this)|good with (it|that|this)|happy with (it|that|this)|cool with
        (it|that|this)|on board|all for it|good to go), good to go, count me in,
        (it's|it is|that's|that is) a yes [from me], [a] (big) yes, a yes,
        (of course|yes|yeah|yep|sure|ok|okay) you (can|may),
        (i'm|i am|we're|we are) in (favor|favour) [of it], i'm for it, consider
        it approved, permission granted, (be my guest), why of course, perfect, great,
        excellent, wonderful, cool, awesome, good, very well, very good, good idea, great
        idea, i do, we do, that is correct, yes it is, yes i do, yes i am, yes we do, yes
        do, thumbs up, green light
    """,
    "u": "yeah, yea, yah, yeh, ya",
    "a": """
        definitely, absolutely, certainly, surely, of course, totally, indeed, exactly, precisely,
        obviously, clearly, undoubtedly, without (a doubt|doubt|question|hesitation), for sure,
        100 %, one hundred percent, a hundred percent, positively, most (certainly|definitely
        |assuredly), but of course, no doubt about it, definately, definetly, definitly, absolutly,
        ofcourse, of corse, hell yes, hell yeah, heck yes, heck yeah, damn right, damn straight
    """,
    "s": """
        really, completely, entirely, fully, very, so, strongly, firmly, hereby, just, also, simply,
        wholeheartedly, happily, kindly, still, quite, all, even, ever, both, honestly
    """,
    "v": """
        agree, approve, confirm, accept, allow, authorize, authorise, permit, consent,
        proceed, do, do it, do that, do this, do them, go ahead, go on, carry on, continue,
        go for (it), do so, make it so, make it happen, have at it, get on with it, get it
        done, ship it, run it, send it, let's go, let's do, let us do, let's proceed, let us
        proceed, knock yourself out, in agreement, grant, give (my|our|the)
        (consent|permission|approval|ok|okay|go ahead|blessing), (you have|you've got)
        (my|our|the) (consent|permission|approval|ok|okay|go ahead|blessing |green light),
        going ahead, in favor, in favour, support, endorse, acceptable, okayed, welcome to,
        happy to, fine with, okay with, ok with, on board with, agreeing, approving, want,
        do want, work [for me|for us], go with, green light, say yes, vote yes, go right
        ahead, feel free, start, deploy, move forward, move ahead, go forward, push ahead,
        press on, give it a go
    """,
    "r": """
        disagree, refuse, decline, reject, deny, disapprove, forbid, object, oppose, veto, say no,
        vote no, am against, pass, opt out, withhold, decline to, refuse to, want none,
        (i'm|i am|we're|we are) (against|opposed to), against, withdraw, prohibit, dissent
    """,
    "n": """
        no, n, nope, nah, nay, naw, nop, noo,  false, negative, never ever, denied,
        declined, refused, rejected, disapproved, forbidden, vetoed, no way [in hell|on
        earth|jose], no chance, not a chance, (hell|heck|god|lord|oh hell) no, no
        (sir|ma'am|siree|thank you|thanks|thx|ty |need|never), uh uh, nuh uh, unh unh,
        nuhuh, nuh, not (at all|really|happening |on your life|gonna happen|for me|in the
        least|in a million years|interested|okay|ok
        |acceptable|allowed|correct|right|true|approved|necessary|needed|required|going to
        happen), no need to, (by|under) no (means|circumstances),
        (absolutely|definitely|certainly) no, out of the question, over my dead body, when
        hell freezes over, fat chance, thumbs down, not in my lifetime, hard pass, hard no,
        big no, (i'll|i will|i think i'll) pass, i pass, (i|we) (don't|do not)
        (think|believe) so, (i|we) (would|'d) rather you (didn't|did not), i'd rather you
        didn't, i'd rather you did not, (better|best) not, i'm good thanks, (i'm|i am) (not
        (interested|ok with (it|that|this)|okay with (it|that|this)|for it |happy with
        (it|that|this))|out), count me out, wrong, incorrect, (that's|that is|it's|it is)
        (wrong|incorrect|a no), (it's|that's) a no from me, no from me, no thank, noway, i
        dont, leave (it|that|this) (alone|be|as is), no can do, (don't|do not) you dare [do
        it], nothing doing, access denied, permission denied, i must decline, not on my
        watch, no dice, no deal, nix, no go, forget it no, anything but that, i beg to
        differ, thanks but no [thanks]
    """,
    "x": """
        not, cannot, can't, won't, will not, wouldn't, would not, shouldn't, should not, mustn't,
        must not, couldn't, could not, isn't, aren't, am not, ain't, is not, are not, wasn't,
        didn't, did not, doesn't, does not, can not, refuse to, wont, cant,
        (it|that|this) (isn't|is not|doesn't|does not)
    """,
    "e": "never",
    "z": """
        don't, do not, dont, let's not, let us not, you mustn't, donot, do nothing, i dont,
        (i|we) (don't|do not|won't|will not|can't|cannot|shouldn't|wouldn't|would not)
    """,
    "g": """
        rather, (i'd|i would|we'd|we would|would|i'll|i had) rather, (i'd|i would|we'd) prefer,
        better, unfortunately, regrettably, (i'm|i am) afraid, sadly, (i'd|i would)
        (better|sooner), (you'd|you had) better, best, i prefer, prefer
    """,
    "i": """
        i, we, you can, you may, you should, we can, we may, we should, it, this, that,
        it's, that's, it is, that is, this is, i would, we would, i can, i'm, i am,
        we're, we are, you could, i can only, i hereby, we hereby, let's, let us, i'll,
        i will, we will, we'll, you are, you're, my vote is, i'd say, that'd be, that would
        be, it'd be, my decision is, i'm going with, i'd, i vote, my final answer is,
        consider it, i choose, i'll say, let me say, for me it's, from me it's, i'm saying,
        i am saying
    """,
    "o": """
        it, this, that, so, them, what i (asked|wanted|meant|need|want|said) [for], these,
        those, to it, to this, to that, with it, with this, with that, with you, with me,
        for me, of it, of this, of that, the request, this request, the change, this change,
        to do it, to do that, to do this, the plan, this plan, for it, for this, for that,
        to proceed, the action, this action, to, the deployment, the operation, this
        operation, on it, about it, about that, about this, anything, at all, ahead, now go,
        the payment, the transaction, the order, the deletion, all
    """,
    "f": """
        um, umm, my answer is, the answer is, my answer, answer, uh, uhh, er, err, erm, ah,
        ahh, oh, ooh, well, so, like, hmm well, eh, hey, you know, mm, hm, now, then, my
        dear, bro, dude, man, mate, buddy, sir, ma'am, guys, bot, assistant, and, lol, haha,
        ha, oh well, ugh, aw, and then, look, listen, honestly, frankly, basically
    """,
    "p": """
        please, pls, plz, plse, pleas, thanks, thank you, thx, ty, thank you very much, many thanks,
        thanks a lot, thanks so much, thanks very much, cheers, kindly, tysm,
        thank you so much, thanks anyway, thank you anyway, thanks again, much appreciated,
        appreciate it, i appreciate it, thanks for asking, thank you for asking, sorry about that,
        [a] (million|thousand) thanks, thanks a million,
        thanks for (checking|that|the offer|offering), thanx,
        much obliged, have a (nice|good|great) day
    """,
    "t": """
        (i'm|i am|we're|we are) (fine|good|ok|okay|alright|all right|cool|great|all set|all good),
        (i'm|i am|we're|we are)
        [quite|very|absolutely|totally|pretty damn|completely|100 %] (sure
        |certain|positive|confident), no doubt, i mean it, i'm serious, seriously, i insist,
        final answer, that's final, final, that's my (answer|final answer|decision),
        (it's|it is) decided, that's it, that's all, as planned, as discussed, as agreed, as
        requested, that is all, i promise, i know what i'm doing,
        period, full stop, i have decided, i've decided, right away, immediately, asap,
        straight away, at once, right now, now, you have my word, all of it, all good, no
        problem with that, that's what i want
    """,
    "k": """
        (i|we) [already|just] (said|told you|say|repeat), i told you, like i said, as i said,
        i am telling you, i'm telling you, once again, again, i repeat, my reply is
    """,
    "c": """
        wait, no wait, i mean, i meant, actually, scratch that, oops, correction, make that, my
        bad, my mistake, on second thought, on second thoughts, strike that, i take that back, hang
        on, hold on, stop, no sorry, wait sorry, oh wait, or rather, come to think of it, let me
        rephrase, i misspoke, misspoke, ignore that, no hold on, no actually, whoops, oops sorry,
        no i mean, wait i mean, no wait i mean, sorry i mean, sorry i meant, no scratch that, wait
        actually, actually wait, i meant to say, excuse me
    """,
    "j": f"""
        sorry, {TURNS}, my apologies, apologies, (i'm|i am) sorry, forgive
        me
    """,
    "h": """
        maybe, perhaps, probably, possibly, presumably, likely, unlikely, i guess, i suppose, i
        think, i think so, i believe, i believe so, i'd think so, i would think so, i reckon, i
        assume, i hope so, i hope, i hope not, i guess (so|not), i suppose so, i imagine, i
        suppose not, i expect so, i feel like, i'm thinking, might, could be, may be, might be,
        sort of, kind of, kinda, sorta, ish, more or less, somewhat, mostly, partly, partially,
        not (sure|certain|convinced|[so|entirely|quite|really|totally|completely|100 %|too|very]
        (sure|certain)), unsure, uncertain, undecided, unclear, dunno, idk, don't know, do not
        know, no clue, who knows, hard to say, hard to tell, in two minds, on the fence, torn,
        depends, it depends, that depends, tough call, i wonder, apparently, supposedly, seems,
        seems so, it seems, it seems so, looks like it, hmm, hmmm, mmm, mm mm, meh, so so, more
        yes than no, 50 50, fifty fifty, not necessarily, potentially, prolly, prob, probs,
        mayhap, doubtful, i doubt it, doubt it, doubtfully, leaning, i lean, ideally, tentatively,
        in theory, eh maybe, as far as i know, afaik, not that i know of, not exactly, in a way,
        up to a point, half, ([i|we] want|[i|we] wanted|(i'd|i would|we'd) like) to say
    """,
    "b": """
        oh right, right then,
        no (problem|problems|worries|worry|idea|comment|big
        deal|doubt|rush|pressure|kidding|wonder
        |matter|offense|offence|sweat|hurry|objection|objections|bother|biggie|harm|hard feelings
        |one|fair|joke|shit|pain no gain|more|longer|less), np, nw, why not, (not|no) bad, not too
        bad, yeah right, yea right, yeah sure whatever, as if, sure sure, oh really, you wish, in
        your dreams, dream on, tell me about it, you don't say, whatever, what ever, big no no,
        yes man, no man, says who, (i|we) (don't|do not|dont) care, i couldn't care less, anyway,
        okay then what, like hell, i bet, sure jan, oh sure, oh please, come on, yeah yeah
        whatever, no shit, get out, what the, not half bad, not a problem, no way out, no more,
        never mind, nevermind, forget it, nothing, none, neither, both of them, either, any,
        whichever, (that's|that is|it's|it is) (ok|okay|alright|all right), (it's|it is) fine,
        (oh|just) (great|perfect|wonderful|excellent|awesome|cool|good|lovely|fantastic),
        (yes|yeah) it
    """,
    "q": """
        if, unless, but, only, except, provided, providing, as long as, so long as, assuming,
        given that, on condition, on one condition, in case, otherwise, however, though, although,
        apart from, other than, besides, excluding, without, with the exception, subject to, until,
        till, unlike, when, whenever, once, after, before, while, as soon as, first, then again,
        instead, just not, as you (wish|like|want|please|prefer|see fit), up to you,
        it's up to you, your (call|choice|decision), you decide, you choose, you tell me,
        depending, whether, or, with conditions, conditionally, also no, for the most part, though,
        but first, except for, minus, plus, as well as
    """,
    "d": """
        later, not yet, not now, not right now, not today, not tonight, not at the moment, not just
        yet, maybe later, wait and see, hold off, in a (minute|moment|second|sec|bit|while),
        (give|gimme) me (a|one) (minute|moment|second|sec), soon, tomorrow, tonight, someday,
        some other time, another time, next time, next week, ask (me|again) [later|again|tomorrow],
        remind me [later|tomorrow], postpone, delay, defer, snooze, hold it, let me think,
        let me check, let me see, i need (time|a minute|to think), thinking, need to think,
        still thinking, this evening, this afternoon, at noon, monday, tuesday, wednesday, thursday,
        friday, saturday, sunday, morning, evening, afternoon, yesterday, weekend, week, month,
        hour, hours, minutes, days, weeks, one (moment|sec|second|minute), just a (sec|second|minute
        |moment), brb, some day, eventually, a bit later, not for now, for now, at the moment,
        after lunch, in the morning, sleep on it
    """,
    "m": """
        says, said, say, saying, told, tells, asked, wrote, writes, claims, reads, output, called,
        named, mentioned, according to, quote, heard, answered, replied, typed, means, meaning
    """,
    "w": """
        what, why, who, whom, whose, how, where, which, what's, who's, how's, do (you|i|we),
        did you, can you, could you, would you, will you, are you, is it, is this, is that,
        does it, does this, should i, should we, have you, may i, can i, can we, shall i, shall we,
        huh, eh what, pardon
    """,
}

CHAT: Mapping[str, str] = {}
HOMOPHONES: Mapping[str, str] = {"know": "no", "knows": "no", "nowe": "no"}
REASON_STARTS = """
    i i'm i've i'd it it's this that that's there they we we're you he she because cause since my
    our the don't do leave keep please not let's these those too still stop
"""
REASON_BLOCKS = """
    instead rather other another use try change make set put different alternatively only
    better prefer replace switch move send add yes yeah yep ok okay sure fine agree approve
"""
LEADS = """
    and, and then, so, look, listen, like, well, you know, um, umm, uh, uhh, er, err, erm, eh, mm
"""
PLAIN = """
    yes no yeah yep yup nope nah ok okay sure agree agreed approve approved confirm confirmed accept
    reject rejected refuse decline deny disagree absolutely definitely
"""
