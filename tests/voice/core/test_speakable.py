"""What is written, as it is said, in both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.core.speakable import speakable


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("**Done**, _really_ ~~not~~ `ok`", "Done, really not ok"),
        ("## Plan", "Plan"),
        ("> quoted", "quoted"),
        ("- first", "first"),
        ("2. Second thing", "2, Second thing"),
        ("see [the docs](https://x.org/a_b).", "see the docs."),
        ("![a map](map.png) here", "a map here"),
        ("open https://www.example.com/a?b=1.", "open example dot com."),
        ("write to a.b@c.org", "write to a dot b at c dot org"),
        ("$1,234 or 1,234.50", "1234 dollars or 1234 point 5 0"),
        ("$1 left, 5% off", "1 dollar left, 5 percent off"),
        ("3–5 days", "3 to 5 days"),
        ("-5°C", "minus 5 degrees Celsius"),
        ("code 007, order 12345678", "code 0 0 7, order 1 2 3, 4 5 6, 7 8"),
        ("+1 (555) 123-4567", "plus 1, 5 5 5, 1 2 3, 4 5 6 7"),
        ("2026-03-15 at 14:30", "March 15, 2026 at 14 30"),
        ("version 2-3-1", "version 2, 3, 1"),
        ("snake_case and a/b", "snake case and a b"),
        ("R&D > 5 & #3", "R and D more than 5 and number 3"),
        ("yes — no", "yes, no"),
        ("great 🎉👍🏽", "great"),
        ("| eu | 3 |\n|----|---|", "eu, 3,"),
        ("```py\nx = 1\n```", "code."),
        ("state-of-the-art, don't", "state-of-the-art, don't"),
        ("***", ""),
        ("", ""),
    ],
)
def test_english(written, said):
    assert speakable(written, "en").text == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("**Готово**, `да`", "Готово, да"),
        ("1. Первое", "1, Первое"),
        ("1 234,5 кг и 2 100 руб", "1234 запятая 5 кг и 2100 руб"),
        ("21% и 22% и 25%", "21 процент и 22 процента и 25 процентов"),
        ("11 ₽, 1 ₽, 0,5 ₽", "11 рублей, 1 рубль, 0 запятая 5 рубля"),
        ("3–5 дней", "от 3 до 5 дней"),
        ("−5 °C", "минус 5 градусов Цельсия"),
        ("№7 и §2", "номер 7 и параграф 2"),
        ("15:05", "15 0 5"),
        ("2026-03-15", "15 марта 2026 года"),
        ("почта a@b.ru", "почта a собака b точка ru"),
        ("+7 912 345-67-89", "плюс 7, 9 1 2, 3 4 5, 6 7, 8 9"),
        ("Москва → Казань", "Москва в Казань"),
        ("ёлка, кто-то", "ёлка, кто-то"),
    ],
)
def test_russian(written, said):
    assert speakable(written, "ru").text == said


def test_a_number_of_several_pieces_is_one_written_word():
    spoken = speakable("у вас 1 234 ₽ тут", "ru", start=100)
    (word,) = [w for w in spoken.words if spoken.text[w.spoken_start] == "1"]
    assert (word.start, word.end) == (106, 113)
    assert spoken.text[word.spoken_start : word.spoken_end] == "1234 рубля"


TEXT = st.text() | st.text(alphabet="аяё abc019.,:;!?-–—*_`#[]()|<>&@$€₽%°№/\n\t🎉'\"")


@given(TEXT, st.sampled_from(["en", "ru", "xx"]), st.integers(0, 50))
def test_words_keep_their_places_in_order(text, language, start):
    spoken = speakable(text, language, start)
    last = spoken_last = -1
    for word in spoken.words:
        assert last <= word.start < word.end <= start + len(text)
        assert spoken_last < word.spoken_start < word.spoken_end <= len(spoken.text)
        assert text[word.start - start : word.end - start].strip()
        last, spoken_last = word.end, word.spoken_end
    assert "  " not in spoken.text
    assert spoken.text == spoken.text.strip()
    assert bool(spoken.words) == any(c.isalnum() for c in spoken.text)


@given(TEXT)
def test_nothing_that_is_said_is_without_a_word(text):
    spoken = speakable(text, "en")
    covered = {at for w in spoken.words for at in range(w.spoken_start, w.spoken_end)}
    assert all(at in covered for at, c in enumerate(spoken.text) if c.isalnum())
