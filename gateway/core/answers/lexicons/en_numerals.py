"""English numerals: each line is a value, its class and its forms.

Classes: z zero · u 1 to 9 · t 10 to 19 · T tens · h times hundred · s scale · b plural scale ·
c a count by itself (dozen, couple) · in capitals with `o` before: the ordinal of the class.
"""

from __future__ import annotations

from collections.abc import Mapping

NUMERALS: Mapping[tuple[str, str], str] = {
    ("z", "0"): "zero nil nought naught zilch zeroes",
    ("u", "1"): "one",
    ("u", "2"): "two",
    ("u", "3"): "three",
    ("u", "4"): "four",
    ("u", "5"): "five fiv fivve",
    ("u", "6"): "six",
    ("u", "7"): "seven sevn",
    ("u", "8"): "eight eigth eigt",
    ("u", "9"): "nine niner",
    ("t", "10"): "ten",
    ("t", "11"): "eleven elevn elleven",
    ("t", "12"): "twelve twelv twelwe",
    ("t", "13"): "thirteen thriteen threeteen",
    ("t", "14"): "fourteen forteen",
    ("t", "15"): "fifteen fiveteen fivteen",
    ("t", "16"): "sixteen",
    ("t", "17"): "seventeen",
    ("t", "18"): "eighteen eightteen eigtheen",
    ("t", "19"): "nineteen ninteen nineten",
    ("T", "20"): "twenty tweny twenny twennie twety twentie",
    ("T", "30"): "thirty thrity",
    ("T", "40"): "forty fourty",
    ("T", "50"): "fifty fivety fivty",
    ("T", "60"): "sixty",
    ("T", "70"): "seventy sevnty",
    ("T", "80"): "eighty eigthy eightty",
    ("T", "90"): "ninety ninty ninetey nintey",
    ("h", "100"): "hundred hundered hunderd hundret",
    ("s", "1000"): "thousand thousend thosand grand thousnd",
    ("s", "1000000"): "million milion mln",
    ("s", "1000000000"): "billion bilion bln bn",
    ("s", "1000000000000"): "trillion trilion",
    ("s", "1000000000000000"): "quadrillion",
    ("b", "100"): "hundreds",
    ("b", "1000"): "thousands",
    ("b", "1000000"): "millions billions trillions",
    ("c", "12"): "dozen",
    ("c", "2"): "couple pair",
    ("b", "12"): "dozens couples pairs",
    ("ou", "1"): "first 1st",
    ("ou", "2"): "second 2nd",
    ("ou", "3"): "third 3rd",
    ("ou", "4"): "fourth",
    ("ou", "5"): "fifth fith",
    ("ou", "6"): "sixth",
    ("ou", "7"): "seventh",
    ("ou", "8"): "eighth",
    ("ou", "9"): "ninth nineth",
    ("ot", "10"): "tenth",
    ("ot", "11"): "eleventh",
    ("ot", "12"): "twelfth twelveth twelth",
    ("ot", "13"): "thirteenth",
    ("ot", "14"): "fourteenth",
    ("ot", "15"): "fifteenth",
    ("ot", "16"): "sixteenth",
    ("ot", "17"): "seventeenth",
    ("ot", "18"): "eighteenth",
    ("ot", "19"): "nineteenth",
    ("oT", "20"): "twentieth",
    ("oT", "30"): "thirtieth",
    ("oT", "40"): "fortieth",
    ("oT", "50"): "fiftieth",
    ("oT", "60"): "sixtieth",
    ("oT", "70"): "seventieth",
    ("oT", "80"): "eightieth",
    ("oT", "90"): "ninetieth",
    ("oh", "100"): "hundredth",
    ("os", "1000"): "thousandth",
    ("os", "1000000"): "millionth",
}

AND = frozenset({"and"})
ARTICLES = frozenset({"a", "an"})
MINUS = frozenset({"minus", "negative"})
PLUS = frozenset({"plus", "positive"})
POINTS = frozenset({"point", "dot", "decimal", "comma"})
OH = frozenset({"oh", "o"})
WHOLES: frozenset[str] = frozenset()
PART_JOINTS: frozenset[str] = frozenset()
HALF_GROUPS: Mapping[str, str] = {}
ALONE_PARTS: Mapping[str, str] = {
    "half": "0.5",
    "a half": "0.5",
    "one half": "0.5",
    "a quarter": "0.25",
    "quarter": "0.25",
    "one quarter": "0.25",
    "three quarters": "0.75",
    "a third": "1/3",
    "one third": "1/3",
    "two thirds": "2/3",
    "a fifth": "0.2",
    "one fifth": "0.2",
    "two fifths": "0.4",
    "three fifths": "0.6",
    "four fifths": "0.8",
    "a tenth": "0.1",
    "one tenth": "0.1",
    "an eighth": "0.125",
    "one eighth": "0.125",
    "three eighths": "0.375",
    "one fourth": "0.25",
    "three fourths": "0.75",
    "a fourth": "0.25",
    "two quarters": "0.5",
    "two halves": "1",
}
ADDED_PARTS: Mapping[str, str] = {
    "and a half": "0.5",
    "and one half": "0.5",
    "and a quarter": "0.25",
    "and one quarter": "0.25",
    "and three quarters": "0.75",
    "and half": "0.5",
    "and quarter": "0.25",
    "and a third": "1/3",
    "and one third": "1/3",
    "and two thirds": "2/3",
    "and a fifth": "0.2",
    "and a tenth": "0.1",
}
DENOMINATORS: Mapping[str, int] = {}
HALVED: Mapping[str, str] = {
    "half [a] (dozen)": "6",
    "half (a) hundred": "50",
    "half (a) thousand": "500",
    "half (a) million": "500000",
    "half (a) billion": "500000000",
    "a quarter [of a] million": "250000",
    "a baker's dozen": "13",
    "a dozen": "12",
    "[a] (couple|pair) of": "2",
    "a (couple|pair)": "2",
    "three quarters [of a] million": "750000",
}
SUFFIX_SCALES: Mapping[str, int] = {"k": 1000, "bn": 10**9, "mln": 10**6, "mn": 10**6, "bln": 10**9}
DOUBLES: Mapping[str, int] = {"double": 2, "triple": 3, "treble": 3, "quadruple": 4}
PERCENT = frozenset({"percent", "percents", "pct", "per cent", "percentage"})
NUMBER_MARKS = frozenset({"number", "no", "num", "nr", "numero"})
ORDINAL_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
PRONOUNS = frozenset({"one"})
PRONOUN_LEADS = frozenset(
    "good great nice fine right correct true perfect cool excellent wonderful lovely".split()
) | {"the only", "the just", "the very", "the sole"}
