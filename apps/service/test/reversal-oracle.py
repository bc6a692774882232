"""
Computes what partners have after months in which reports replace others, with Python's integers and fractions: of every
run, what its reports that nobody has replaced since would have paid alone. Argument: the world (JSON). Prints, for each
month, one JSON object with the balances by organization and currency.
"""

import json
import sys
from collections import defaultdict
from fractions import Fraction

with open(sys.argv[1], encoding="utf-8") as file:
    world = json.load(file)


def half_even(numerator, denominator):
    return round(Fraction(numerator, denominator))


def units(text, decimals):
    return int(Fraction(text) * 10**decimals)


def rate_of(source, target):
    return 10**10 if source == target else units(world["rates"][f"{source}/{target}"], 10)


def pay(run, replaced):
    """What a run pays for its reports that are not replaced, by organization and currency."""
    items = defaultdict(int)
    nets = defaultdict(int)
    for report in run["reports"]:
        if report["id"] in replaced:
            continue
        for line in report["lines"]:
            kind = "return" if line["amount"].startswith("-") else "usage"
            key = (line["org"], line["territory"], line["isrc"], line["use"], kind, report["id"],
                   report["currency"])
            items[key] += units(line["amount"], 10)
        for other in report["others"]:
            if other["org"] is None:
                continue
            currency = run["currencies"][other["org"]]
            gross = half_even(
                units(other["amount"], 10) * rate_of(report["currency"], currency), 10**14)
            points = world["fees"][other["org"]] if other["type"] == "non_track_income" else 0
            nets[(other["org"], currency)] += gross - half_even(gross * points, 10**4)
    records = defaultdict(lambda: {"royalty": 0, "sale": 0})
    for (org, territory, isrc, use, _, _, source), amount in items.items():
        earnings = half_even(amount * rate_of(source, run["currencies"][org]), 10**14)
        records[(org, territory, isrc)]["sale" if use == "download" else "royalty"] += earnings
    bases = defaultdict(int)
    for (org, territory, _), gross in records.items():
        points = world["fees"][org]
        fee = half_even((gross["royalty"] + gross["sale"]) * points, 10**4)
        sale_fee = half_even(gross["sale"] * points, 10**4)
        nets[(org, run["currencies"][org])] += gross["royalty"] + gross["sale"] - fee
        bases[(org, territory, "royalty")] += gross["royalty"] - (fee - sale_fee)
        bases[(org, territory, "sale")] += gross["sale"] - sale_fee
    for (org, territory, income), base in bases.items():
        points = world["withholding"].get(territory, {}).get(income, 0)
        nets[(org, run["currencies"][org])] -= half_even(max(0, base) * points, 10**4)
    return nets


def format_micros(amount):
    digits = str(abs(amount)).rjust(7, "0")
    return ("-" if amount < 0 else "") + digits[:-6] + "." + digits[-6:]


months = []
for number in range(1, len(world["runs"]) + 1):
    done = world["runs"][:number]
    replaced = {id for run in done for report in run["reports"] for id in report["supersedes"]}
    balances = defaultdict(int)
    for run in done:
        for key, net in pay(run, replaced).items():
            balances[key] += net
    months.append({f"{org} {currency}": format_micros(balance)
                   for (org, currency), balance in sorted(balances.items()) if balance != 0})
print(json.dumps(months))
