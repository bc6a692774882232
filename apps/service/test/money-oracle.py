"""Computes money with Python's decimal and fractions only. Reads one JSON case per line and prints one result per line.

Amounts are decimals in currency units here, while the kernel works with scaled integers. A result has `value`, which is
"RangeError" where the kernel must refuse, and `tie`: whether the rounding, or the last micro of an allocation, was one.
"""

import json
import math
import sys
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, Inexact, getcontext
from fractions import Fraction

# A quotient of the cases is at least 10^-39 away from a tie unless it is one, so 200 digits decide every rounding.
getcontext().prec = 200

REFUSED = "RangeError"
LIMIT = Decimal(10) ** 22
MICRO = Decimal("0.000001")
RATE_STEP = Decimal("0.0000000001")
NO_DECIMALS = set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split())
THREE_DECIMALS = set("BHD IQD JOD KWD LYD OMR TND".split())


def minor_unit(currency: str) -> Decimal:
    if currency in NO_DECIMALS:
        return Decimal("1")
    return Decimal("0.001") if currency in THREE_DECIMALS else Decimal("0.01")


def exactly(value: Decimal, step: Decimal) -> Decimal:
    """The same value with the decimals of the step; fails if a digit would be lost."""
    getcontext().clear_flags()
    result = value.quantize(step)
    assert not getcontext().flags[Inexact], value
    return result


def written(value: Decimal, step: Decimal = MICRO) -> str:
    if abs(value) >= LIMIT:
        return REFUSED
    # Adding zero turns a negative zero into a plain one.
    return format(exactly(value, step) + 0, "f")


def is_tie(value: Decimal, step: Decimal) -> bool:
    return value % step in (step / 2, -step / 2)


def rounded(value: Decimal) -> tuple[str, bool]:
    return written(value.quantize(MICRO, ROUND_HALF_EVEN)), is_tie(value, MICRO)


def parse(case: dict) -> tuple[str, bool]:
    return str(int(Decimal(case["amount"]) * 10**6)), False


def write(case: dict) -> tuple[str, bool]:
    return written(Decimal(case["micros"]).scaleb(-6)), False


def rate(case: dict) -> tuple[str, bool]:
    return written(Decimal(case["rate"]), RATE_STEP), False


def minor_units(case: dict) -> tuple[list, bool]:
    amount, unit = Decimal(case["amount"]), minor_unit(case["currency"])
    is_whole = amount % unit == 0
    floor = amount.quantize(unit, ROUND_FLOOR)
    return [is_whole, written(amount, unit) if is_whole else REFUSED, written(floor)], False


def divide(case: dict) -> tuple[str, bool]:
    quotient = Decimal(case["numerator"]) / Decimal(case["denominator"])
    return format(quotient.to_integral_value(ROUND_HALF_EVEN) + 0, "f"), is_tie(quotient, Decimal(1))


def basis_points(case: dict) -> tuple[str, bool]:
    return rounded(Decimal(case["amount"]) * case["basis_points"] / 10_000)


def convert(case: dict) -> tuple[str, bool]:
    return rounded(Decimal(case["amount"]) * Decimal(case["rate"]))


def add(case: dict) -> tuple[list, bool]:
    amounts = [Decimal(amount) for amount in case["amounts"]]
    return [written(sum(amounts)), written(Decimal(0) - amounts[0])], False


def allocate(case: dict) -> tuple[list, bool]:
    """Hands out single micros, each to the share that is furthest below its exact quota, of equal ones to the first."""
    total = Fraction(case["amount"]) * 10**6
    weights = [int(weight) for weight in case["weights"]]
    per_weight = total / sum(weights)
    quotas = [weight * per_weight for weight in weights]
    shares = [math.trunc(quota) for quota in quotas]
    missing = [abs(quota - share) for quota, share in zip(quotas, shares)]
    step = 1 if total > 0 else -1
    tie = False
    for _ in range(abs(int(total) - sum(shares))):
        most = max(missing)
        tie = missing.count(most) > 1
        index = missing.index(most)
        shares[index] += step
        # The share is now beyond its quota and takes no part any more.
        missing[index] = -1
    return [written(Decimal(share).scaleb(-6)) for share in shares], tie


OPERATIONS = {
    "parse": parse,
    "write": write,
    "rate": rate,
    "minor_units": minor_units,
    "divide": divide,
    "basis_points": basis_points,
    "convert": convert,
    "add": add,
    "allocate": allocate,
}

for line in sys.stdin:
    case = json.loads(line)
    value, tie = OPERATIONS[case["operation"]](case)
    print(json.dumps({"value": value, "tie": tie}))
