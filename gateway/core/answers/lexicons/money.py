"""Currencies by the words and signs that people use for them, in every language known."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "USD": "usd dollar dollars buck bucks $ доллар доллара долларов долларах бакс бакса баксов"
    " баксы"
    " долларами долл us$ зеленых",
    "EUR": "eur euro euros € евро евриков",
    "RUB": "rub rur ruble rubles rouble roubles ₽ рубль рубля рублей рублях руб р рубликов"
    " рублями рублем рублю",
    "GBP": "gbp pound pounds quid sterling £ фунт фунта фунтов",
    "JPY": "jpy yen ¥ иена иены иен йена йены йен",
    "CNY": "cny yuan rmb renminbi юань юаня юаней",
    "INR": "inr rupee rupees ₹ рупия рупии рупий",
    "CHF": "chf franc francs франк франка франков",
    "CAD": "cad dollar dollars $ доллар доллара долларов",
    "AUD": "aud dollar dollars $ доллар доллара долларов",
    "NZD": "nzd dollar dollars $ доллар доллара долларов",
    "SGD": "sgd dollar dollars $ доллар доллара долларов",
    "HKD": "hkd dollar dollars $ доллар доллара долларов",
    "KZT": "kzt tenge ₸ тенге",
    "UAH": "uah hryvnia hryvnias ₴ гривна гривны гривен гривну",
    "BYN": "byn rubles рубль рубля рублей руб р",
    "PLN": "pln zloty zlotys zł злотый злотых злотого",
    "TRY": "try lira liras ₺ лира лиры лир",
    "SEK": "sek krona kronor крона кроны крон",
    "NOK": "nok krone kroner крона кроны крон",
    "DKK": "dkk krone kroner крона кроны крон",
    "CZK": "czk koruna korunas крона кроны крон",
    "BRL": "brl real reais реал реала реалов",
    "MXN": "mxn peso pesos песо",
    "KRW": "krw won ₩ вона воны вон",
    "AED": "aed dirham dirhams дирхам дирхама дирхамов",
    "ILS": "ils shekel shekels ₪ шекель шекеля шекелей",
    "GEL": "gel lari ₾ лари",
    "AMD": "amd dram drams ֏ драм драма драмов",
}
CENTS: Mapping[str, str] = {
    "USD": "cent cents ¢ цент цента центов",
    "EUR": "cent cents цент цента центов",
    "CAD": "cent cents цент цента центов",
    "AUD": "cent cents цент цента центов",
    "NZD": "cent cents",
    "SGD": "cent cents",
    "HKD": "cent cents",
    "RUB": "kopek kopeks kopeck kopecks копейка копейки копеек коп",
    "BYN": "копейка копейки копеек коп",
    "UAH": "копейка копейки копеек коп",
    "GBP": "pence penny pennies p пенс пенса пенсов",
    "PLN": "grosz грош гроша грошей",
    "INR": "paise paisa",
    "CNY": "fen",
    "CHF": "rappen centime centimes",
}


def codes_by(table: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    """The currencies that each word or sign can mean."""
    found: dict[str, set[str]] = {}
    for code, words in table.items():
        for word in words.split():
            found.setdefault(word, set()).add(code)
    return {word: frozenset(codes) for word, codes in found.items()}


BY_WORD: Mapping[str, frozenset[str]] = codes_by(WORDS)
BY_CENT: Mapping[str, frozenset[str]] = codes_by(CENTS)
