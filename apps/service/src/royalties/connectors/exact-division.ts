/**
 * Exact division in DuckDB. Its `//` on HUGEINT takes 1.4 µs and its `round()` rounds ties away from zero, so the quotient
 * is estimated with doubles and corrected with integers: the rest of the estimate is computed exactly. A value beyond
 * BIGINT ends the calculation with an error of DuckDB, never with a wrong amount.
 *
 * `n` is a HUGEINT, `d` a BIGINT above zero. `half_even` rounds ties to the even neighbour.
 */
export const exactDivision = `
  create macro quotient_estimate(n, d) as floor(n::double / d::double)::bigint;
  create macro rest_of_estimate(n, d) as (n - quotient_estimate(n, d)::hugeint * d)::bigint;
  create macro estimate_correction(n, d) as
    (rest_of_estimate(n, d) - case when rest_of_estimate(n, d) < 0 then d - 1 else 0 end) // d;
  create macro floor_quotient(n, d) as quotient_estimate(n, d) + estimate_correction(n, d);
  create macro floor_remainder(n, d) as
    rest_of_estimate(n, d) - estimate_correction(n, d) * d;
  create macro half_even(n, d) as floor_quotient(n, d) +
    case
      when 2 * floor_remainder(n, d) > d then 1
      when 2 * floor_remainder(n, d) = d and floor_quotient(n, d) % 2 <> 0 then 1
      else 0
    end;
`;
