"""English."""

from __future__ import annotations

from gateway.core.answers.lexicons.kinds import Talk

TALK = Talk(
    controls={
        "stop": frozenset(
            {
                "stop", "stop it", "stop that", "please stop", "stop please", "stop now", "halt",
                "abort", "stop talking", "be quiet", "quiet", "shut up", "enough", "that's enough",
            }
        ),
        "cancel": frozenset(
            {
                "cancel", "cancel it", "cancel that", "cancel this", "please cancel",
                "cancel please", "never mind", "nevermind", "forget it", "forget about it",
            }
        ),
        "skip": frozenset(
            {
                "skip", "skip it", "skip this", "skip that", "skip please", "please skip",
                "skip this one", "skip the question", "skip this question", "pass on this",
                "next question",
            }
        ),
        "repeat": frozenset(
            {
                "repeat", "repeat that", "repeat it", "repeat please", "please repeat",
                "say again", "say that again", "say it again", "come again", "once more",
                "one more time", "pardon", "pardon me", "repeat the question",
                "can you repeat that", "could you repeat that", "can you say that again",
                "could you say that again", "can you repeat", "could you repeat",
            }
        ),
        "help": frozenset(
            {
                "help", "help me", "help please", "please help", "what can i say",
                "what are the options", "what are my options", "options",
            }
        ),
    },
    hold=frozenset(
        {
            "wait", "wait please", "please wait", "hold on", "hang on", "hold it", "hold up",
            "wait a second", "wait a sec", "wait a minute", "wait a moment", "wait wait",
            "just a second", "just a sec", "just a minute", "just a moment", "one second",
            "one sec", "one minute", "one moment", "a second", "a minute", "a moment",
            "give me a second", "give me a sec", "give me a minute", "give me a moment",
            "hang on a second", "hold on a second", "one moment please",
        }
    ),
    resume=frozenset(
        {
            "go on", "continue", "carry on", "keep going", "please continue", "please go on",
            "i'm listening", "resume",
        }
    ),
    backchannels=frozenset(
        {
            "uh huh", "uh-huh", "mhm", "mm hmm", "mm-hmm", "mmhmm", "hmm", "mm", "m-hm", "yeah",
            "yep", "yes", "ok", "okay", "right", "i see", "got it", "sure", "alright", "all right",
            "oh", "ah", "aha", "wow", "really", "cool", "good", "great", "nice", "fine", "true",
            "interesting", "of course", "exactly", "yup", "huh",
        }
    ),
    presence=frozenset(
        {
            "hello", "hi", "hey", "are you there", "you there", "are you still there",
            "still there", "anybody there", "anyone there", "is anyone there", "can you hear me",
            "do you hear me", "hello hello",
        }
    ),
    corrections=frozenset(
        {
            "wait", "no wait", "wait no", "i mean", "i meant", "sorry", "actually", "scratch that",
            "rather", "correction", "oops", "make that", "my bad", "my mistake", "no sorry",
            "sorry no", "i said",
        }
    ),
)
