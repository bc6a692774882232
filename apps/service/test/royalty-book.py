"""
Derives what a run is calculated from out of a book: what operators set, what stores reported, and what they paid. Of the
service the book has only ids and how statements are divided into parts. Writes the plan and the matched rows that
`royalty-oracle.py` reads, and prints which reports are payable. Arguments: the book (JSON), the plan to write (JSON), the
matched rows to write (tab-separated).
"""

import json
import sys
from collections import defaultdict

from exact_money import divide, from_units, half_even, to_units

book_path, plan_path, matched_path = sys.argv[1:]
with open(book_path, encoding="utf-8") as file:
    book = json.load(file)

SOURCE, MICRO = 10, 6  # decimals
UNITS_PER_MICRO = 10**4
CENT = 10**8  # of euros and dollars, in source units
partners, stores = book["partners"], book["stores"]
reports = {report["id"]: report for report in book["reports"]}


def slice_of(isrc):
    return int(isrc[-5:]) % 1000


# Rows to partners. The row of an album goes to its tracks, in the order of their slices and ISRCs.
track_of = {(t["isrc"], t["partner"], t["release"]): t for t in book["tracks"]}
albums = defaultdict(list)
for track in sorted(book["tracks"], key=lambda t: (slice_of(t["isrc"]), t["isrc"])):
    albums[track["release"]].append(track)


def signed_shares(total, count):
    sign = -1 if total < 0 else 1
    return [sign * share for share in divide(abs(total), [1] * count)]


def uses_of(row):
    amount = to_units(row["amount"], SOURCE)
    if row["isrc"] != "":
        yield track_of[(row["isrc"], row["partner"], row["release"])], row["plays"], amount, "false"
        return
    own = albums[row["release"]]
    plays, amounts = signed_shares(row["plays"], len(own)), signed_shares(amount, len(own))
    for track, count, share in zip(own, plays, amounts):
        yield track, count, share, "true"


due = defaultdict(int)  # what the store owes, by report and currency
owned = defaultdict(int)  # by report, currency and partner
for report in reports.values():
    for row in report["rows"]:
        amount = to_units(row["amount"], SOURCE)
        due[(report["id"], row["currency"])] += amount
        if row["kind"] == "matched":
            owned[(report["id"], row["currency"], row["partner"])] += amount


class Settlement:
    """What a store paid for some reports in one currency: the first payment, and those that complete it."""

    def __init__(self, first):
        payments = [first] + [p for p in book["payments"] if p["completes"] == first["id"]]
        self.currency = first["currency"]
        self.reports = sorted(first["reports"])
        self.settled_currency = first["settled_currency"]
        amount = sum(to_units(p["amount"], MICRO) for p in payments)
        self.tax = sum(to_units(p["source_tax"], MICRO) for p in payments)
        self.settled = sum(to_units(p["settled_amount"], MICRO) for p in payments)
        self.paid = amount - self.tax
        missing = sum(due[(r, self.currency)] for r in self.reports) - amount * UNITS_PER_MICRO
        self.is_settled = abs(missing) < CENT or first["decision"] in ("accept", "prorate")
        is_held = missing >= CENT and first["decision"] == "prorate"
        self.held = (missing - missing % CENT) // UNITS_PER_MICRO if is_held else 0

    def share(self, total):
        """Over what partners own, and what has no owner; only amounts above zero count."""
        owners = sorted(
            (key for key in owned if key[0] in self.reports and key[1] == self.currency),
            key=lambda key: (key[0], partners[key[2]]["org"]),
        )
        house = [
            due[(r, self.currency)] - sum(owned[key] for key in owners if key[0] == r)
            for r in self.reports
        ]
        weights = [max(0, units) for units in [owned[key] for key in owners] + house]
        return dict(zip(owners, divide(total, weights))) if total > 0 else {}


settlements = {}
for payment in book["payments"]:
    if payment["completes"] is None:
        settlement = Settlement(payment)
        for report_id in settlement.reports:
            settlements[(report_id, settlement.currency)] = settlement


def is_payable(report):
    if report["is_included"]:
        return False
    found = [settlements.get((r, c)) for r, c in due if r == report["id"]]
    is_paid = all(each is not None and each.is_settled for each in found)
    return stores[report["store"]]["pays_on_report"] or is_paid


payable = [reports[report_id] for report_id in sorted(reports) if is_payable(reports[report_id])]


def rate_of(report_id, source, target):
    """In units of 10^-10: what the bank made of the payment, and the rate set for the rest. Rounded once."""
    if source == target:
        return 10**10
    settlement = settlements.get((report_id, source))
    settled = source if settlement is None else settlement.settled_currency
    then = 10**10 if settled == target else to_units(book["rates"][f"{settled}/{target}"], 10)
    return then if settlement is None else half_even(settlement.settled * then, settlement.paid)


currencies = sorted({partner["currency"] for partner in partners})
pairs = [(r["id"], c) for r in payable for c in sorted({row["currency"] for row in r["rows"]})]
rates = [
    {"report": report_id, "source_currency": source, "currency": target,
     "rate": from_units(rate_of(report_id, source, target), 10)}
    for report_id, source in pairs for target in currencies
]

source_taxes, disputed = [], []
for report_id, currency in pairs:
    settlement = settlements.get((report_id, currency))
    if settlement is None:
        continue
    tax = sum(t for key, t in settlement.share(settlement.tax).items() if key[0] == report_id)
    source_taxes.append({"report": report_id, "source_currency": currency,
                         "amount": from_units(tax * UNITS_PER_MICRO, SOURCE)})
    for (of_report, _, number), held in settlement.share(settlement.held).items():
        partner = partners[number]
        gross = half_even(held * rate_of(report_id, currency, partner["currency"]), 10**10)
        if of_report == report_id and gross > 0:
            disputed.append({"statement": partner["statement"], "report": report_id,
                             "gross": from_units(gross, MICRO)})

# Fines, added up by report, reason and currency.
fines = defaultdict(int)
for report in payable:
    for row in report["rows"]:
        if row["kind"] == "fine":
            reason = f"{row['written_use']}: {row['title']}"
            key = (row["partner"], report["id"], reason, row["currency"])
            fines[key] += to_units(row["amount"], SOURCE)
adjustments = []
for (number, report_id, reason, currency), amount in fines.items():
    partner = partners[number]
    gross = half_even(amount * rate_of(report_id, currency, partner["currency"]), 10**14)
    if gross != 0:
        adjustments.append({"statement": partner["statement"], "report": report_id,
                            "reason": reason, "gross": from_units(gross, MICRO)})

statements = [p for p in partners if p["statement"] is not None]
withholding = {}
for statement in statements:
    for rule in sorted(book["withholding_rules"], key=lambda rule: rule["from"]):
        if rule["from"] <= book["month"] and (rule["to"] or "9999-12") >= book["month"]:
            key = (statement["statement"], rule["territory"], rule["income_type"])
            withholding[key] = rule["basis_points"]


def fee_rules_of(number):
    for rule in book["fee_rules"]:
        if rule["partner"] in (None, number):
            store = None if rule["store"] is None else stores[rule["store"]]["id"]
            yield {**rule, "store": store, "is_platform": rule["partner"] is None}


with open(plan_path, "w", encoding="utf-8") as file:
    json.dump({
        "statements": [{"id": s["statement"], "org": s["org"], "currency": s["currency"]}
                       for s in statements],
        "parts": book["parts"],
        "rates": rates,
        "fee_rules": {p["org"]: list(fee_rules_of(n)) for n, p in enumerate(partners)},
        "withholding": [{"statement": s, "territory": t, "income_type": i, "basis_points": b}
                        for (s, t, i), b in withholding.items() if b > 0],
        "source_taxes": source_taxes,
        "disputed": disputed,
        "adjustments": adjustments,
    }, file)

with open(matched_path, "w", encoding="utf-8") as file:
    for report in payable:
        for row in report["rows"]:
            if row["kind"] != "matched":
                continue
            for track, plays, amount, allocated in uses_of(row):
                transaction = "return" if plays < 0 or amount < 0 else "usage"
                file.write("\t".join([
                    partners[row["partner"]]["org"], str(slice_of(track["isrc"])),
                    track["release"], track["track"], track["isrc"], row["title"],
                    row["territory"], row["use"], transaction, report["usage_month"],
                    report["accounting_month"], report["start"], report["end"], row["currency"],
                    str(plays), from_units(amount, SOURCE), allocated, report["id"],
                    stores[report["store"]]["id"]]) + "\n")

print(json.dumps({"payable": [report["id"] for report in payable]}))
