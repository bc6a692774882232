"""Amounts as whole numbers of small units, for the oracles of royalties. Shares no code with the service."""

from fractions import Fraction


def to_units(text, decimals):
    whole, _, fraction = text.partition(".")
    return int(whole + fraction.ljust(decimals, "0"))


def from_units(units, decimals):
    digits = str(abs(units)).rjust(decimals + 1, "0")
    return ("-" if units < 0 else "") + digits[:-decimals] + "." + digits[-decimals:]


def half_even(numerator, denominator):
    # Python rounds a fraction to the nearest integer, ties to the even one.
    return round(Fraction(numerator, denominator))


def divide(total, weights):
    """Largest remainder: of equal remainders the first."""
    weight_sum = sum(weights)
    shares = [total * weight // weight_sum for weight in weights]
    by_remainder = sorted(
        range(len(weights)), key=lambda i: (-(total * weights[i] % weight_sum), i)
    )
    for i in by_remainder[: total - sum(shares)]:
        shares[i] += 1
    return shares
