"""
Computes a run from its matched rows with Python's integers and fractions, and compares every line item and royalty
record with the files of the engine. Arguments: the plan (JSON), matched rows, line items, royalties (tab-separated).
Prints one JSON object.
"""

import json
import sys
from collections import defaultdict
from fractions import Fraction

import exact_money
from exact_money import divide, from_units, to_units

plan_path, matched_path, items_path, royalties_path = sys.argv[1:]
with open(plan_path, encoding="utf-8") as file:
    plan = json.load(file)
figures = {"rows": 0, "items": 0, "records": 0, "ties": 0, "differences": []}


def half_even(numerator, denominator):
    if Fraction(numerator, denominator).denominator == 2:
        figures["ties"] += 1
    return exact_money.half_even(numerator, denominator)


statements = {s["id"]: s for s in plan["statements"]}
parts_of = defaultdict(list)
for part in plan["parts"]:
    parts_of[part["org"]].append(part)
currency_of = {s["org"]: s["currency"] for s in plan["statements"]}
rates = {(r["report"], r["source_currency"], r["currency"]): r["rate"] for r in plan["rates"]}


def rate_of(report, source, target):
    known = rates.get((report, source, target))
    return 10**10 if known is None else to_units(known, 10)


def part_of(org, slice_number):
    for part in parts_of[org]:
        if part["slice_from"] <= slice_number < part["slice_to"]:
            return part["statement"], part["part"]
    raise ValueError(f"no part has slice {slice_number} of {org}")


# Rows to items.
items = defaultdict(lambda: [0, 0])
titles = {}
with open(matched_path, encoding="utf-8") as file:
    for line in file:
        (org, slice_number, release, track, isrc, title, territory, use, transaction, usage_month,
         accounting_month, start, end, currency, plays, amount, allocated, report, store,
         ) = line.rstrip("\n").split("\t")
        figures["rows"] += 1
        named = (isrc, release, track, report, org)
        titles[named] = min(titles.get(named, title), title)
        statement, part = part_of(org, int(slice_number))
        item = items[(statement, part, store, territory, usage_month, isrc, release, track, use,
                      transaction, report, accounting_month, allocated, currency, start, end)]
        item[0] += int(plays)
        item[1] += to_units(amount, 10)

org_of = {s["id"]: s["org"] for s in plan["statements"]}


def basis_points(org, store, use, month):
    best = None
    for index, rule in enumerate(plan["fee_rules"].get(org, [])):
        if rule["store"] not in (None, store) or rule["use_type"] not in (None, use):
            continue
        if month < rule["from"] or (rule["to"] is not None and month > rule["to"]):
            continue
        is_own = not rule.get("is_platform", False)
        strength = (rule["store"] is not None, rule["use_type"] is not None, is_own, rule["from"], index)
        if best is None or strength > best[0]:
            best = (strength, rule["basis_points"])
    return 0 if best is None else best[1]


fee_cache = {}


def cached_basis_points(*key):
    if key not in fee_cache:
        fee_cache[key] = basis_points(*key)
    return fee_cache[key]


def record_of():
    return {"plays": 0, "gross": 0, "gross_of": defaultdict(int), "fee": defaultdict(int),
            "sources": defaultdict(int), "isrc": None, "release": None, "source_tax": 0,
            "payee_tax": 0}


records = defaultdict(record_of)
source_amounts = defaultdict(int)
item_lines = []
for key in sorted(items):
    plays, amount = items[key]
    (statement, part, store, territory, usage_month, isrc, release, track, use, transaction,
     report, accounting_month, allocated, currency, start, end) = key
    org = org_of[statement]
    rate = rate_of(report, currency, currency_of[org])
    earnings = half_even(amount * rate, 10**14)
    unit_rate = ""
    if plays != 0 and abs(earnings) < 9 * 10**13:
        unit_rate = from_units(round(Fraction(earnings * 10**4, plays)), 10)
    item_lines.append("\t".join([
        statement, str(part), isrc, titles[(isrc, release, track, report, org)], release, track,
        store, territory, use, transaction, usage_month, accounting_month, report, allocated,
        str(plays), unit_rate, from_units(earnings, 6), currency, from_units(amount, 10),
        from_units(rate, 10), start, end]))
    record = records[(statement, part, store, territory, usage_month, track)]
    record["plays"] += plays
    record["gross"] += earnings
    income = "sale" if use == "download" else "royalty"
    record["gross_of"][income] += earnings
    record["fee"][income] += earnings * cached_basis_points(org, store, use, usage_month)
    record["sources"][(report, currency)] += earnings
    record["isrc"] = min(record["isrc"] or isrc, isrc)
    record["release"] = min(record["release"] or release, release)
    source_amounts[(statement, report, currency)] += amount

# Fees, once for each record; the sales have their own rounded part.
keys_of_part = defaultdict(list)
for key in sorted(records):
    record = records[key]
    keys_of_part[key[:2]].append(key)
    record["fee_amount"] = half_even(sum(record["fee"].values()), 10**4)
    sale_fee = round(Fraction(record["fee"]["sale"], 10**4))
    record["base"] = {
        "sale": record["gross_of"]["sale"] - sale_fee,
        "royalty": record["gross_of"]["royalty"] - (record["fee_amount"] - sale_fee),
    }

part_numbers = defaultdict(list)
for part in plan["parts"]:
    part_numbers[part["statement"]].append(part["part"])


def divide_over_records(total, statement, weight_of, kind):
    """First over the parts, then over the records of each part; only weights above zero count."""
    weighed = []
    for number in sorted(part_numbers[statement]):
        keys = [k for k in keys_of_part[(statement, number)] if weight_of(k) > 0]
        weighed.append((keys, [weight_of(k) for k in keys]))
    if total == 0:
        return
    shares = divide(total, [sum(weights) for _, weights in weighed])
    for share, (keys, weights) in zip(shares, weighed):
        if share > 0:
            for key, amount in zip(keys, divide(share, weights)):
                records[key][kind] += amount


for tax in plan["source_taxes"]:
    source = (tax["report"], tax["source_currency"])
    total = half_even(to_units(tax["amount"], 10), 10**4)

    def gross_of(key, source=source):
        return records[key]["sources"].get(source, 0)

    bearers = []
    for statement in sorted(statements):
        has_gross = any(
            gross_of(k) > 0 for n in part_numbers[statement] for k in keys_of_part[(statement, n)]
        )
        if source_amounts[(statement, *source)] > 0 and has_gross:
            bearers.append(statement)
    shares = divide(total, [source_amounts[(s, *source)] for s in bearers])
    for statement, share in zip(bearers, shares):
        rate = rate_of(*source, statements[statement]["currency"])
        divide_over_records(half_even(share * rate, 10**10), statement, gross_of, "source_tax")

for rule in plan["withholding"]:

    def base_of(key, rule=rule):
        return records[key]["base"][rule["income_type"]] if key[3] == rule["territory"] else 0

    statement = rule["statement"]
    keys = [k for n in part_numbers[statement] for k in keys_of_part[(statement, n)]]
    base = max(0, sum(base_of(k) for k in keys))
    divide_over_records(half_even(base * rule["basis_points"], 10**4), statement, base_of,
                        "payee_tax")

record_lines = []
for key in sorted(records):
    statement, part, store, territory, usage_month, track = key
    record = records[key]
    net = record["gross"] - record["fee_amount"] - record["source_tax"] - record["payee_tax"]
    amounts = [record["gross"], record["fee_amount"], record["source_tax"], record["payee_tax"], net]
    record_lines.append("\t".join(
        [statement, str(part), record["release"], track, record["isrc"], store, territory,
         usage_month, str(record["plays"])] + [from_units(a, 6) for a in amounts]))


def compare(path, expected, kind):
    with open(path, encoding="utf-8") as file:
        found = [line.rstrip("\n") for line in file]
    figures[kind] = len(expected)
    if len(found) != len(expected):
        figures["differences"].append(f"{kind}: {len(found)} lines instead of {len(expected)}")
    for number, (one, other) in enumerate(zip(found, expected)):
        if one != other and len(figures["differences"]) < 10:
            figures["differences"].append(f"{kind} {number}: {one!r} instead of {other!r}")


compare(items_path, item_lines, "items")
compare(royalties_path, record_lines, "records")

# What each statement says, with its fines and what the store has not paid.
totals = {s: defaultdict(int) for s in statements}
for key, record in records.items():
    for name in ("gross", "fee_amount", "source_tax", "payee_tax"):
        totals[key[0]][name] += record[name]
figures["statements"] = {}
for statement, total in totals.items():
    net = total["gross"] - total["fee_amount"] - total["source_tax"] - total["payee_tax"]
    left, holds = net, []
    for hold in plan.get("disputed", []):
        if hold["statement"] == statement and total["gross"] > 0:
            share = int(Fraction(to_units(hold["gross"], 6) * net, total["gross"]))
            share = min(share, left)
            left -= share
            if share > 0:
                holds.append([hold["report"], from_units(share, 6)])
    figures["statements"][statement] = {
        "amounts": [from_units(a, 6) for a in (total["gross"], total["fee_amount"],
                    total["source_tax"], total["payee_tax"], net)],
        "holds": holds,
        "adjustments": sorted([a["reason"], a["gross"]] for a in plan.get("adjustments", [])
                              if a["statement"] == statement),
    }
figures["negative_records"] = sum(r["gross"] < 0 for r in records.values())
figures["source_tax"] = sum(r["source_tax"] for r in records.values())
figures["payee_tax"] = sum(r["payee_tax"] for r in records.values())
figures["several_sources"] = sum(len(r["sources"]) > 1 for r in records.values())
print(json.dumps(figures))
