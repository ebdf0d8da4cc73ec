package dev.lightpath.planner.polarfly;

import java.util.Arrays;

/** Polynomials over the integers modulo a prime, lowest coefficient first. */
final class Polynomials {
    private Polynomials() {}

    static int[] digits(int number, int p, int length) {
        int[] digits = new int[length];
        int rest = number;
        for (int i = 0; i < length; i++) {
            digits[i] = rest % p;
            rest /= p;
        }
        return digits;
    }

    static int number(int[] digits, int p) {
        int number = 0;
        for (int i = digits.length - 1; i >= 0; i--) {
            number = number * p + digits[i];
        }
        return number;
    }

    /** a * b modulo a monic polynomial. */
    static int[] product(int[] a, int[] b, int[] modulus, int p) {
        int m = modulus.length - 1;
        int[] c = new int[Math.max(2 * m - 1, m)];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) {
                c[i + j] = (c[i + j] + a[i] * b[j]) % p;
            }
        }
        for (int i = c.length - 1; i >= m; i--) {
            for (int j = 1; j <= m; j++) {
                c[i - j] = Math.floorMod(c[i - j] - c[i] * modulus[m - j], p);
            }
            c[i] = 0;
        }
        return Arrays.copyOf(c, m);
    }

    /** The first irreducible monic polynomial of a degree, ordered by its coefficients from the highest down. */
    static int[] irreducible(int p, int degree) {
        int count = 1;
        for (int i = 0; i < degree; i++) {
            count *= p;
        }
        for (int number = 0; number < count; number++) {
            int[] candidate = Arrays.copyOf(digits(number, p, degree), degree + 1);
            candidate[degree] = 1;
            if (isIrreducible(candidate, p)) {
                return candidate;
            }
        }
        throw new IllegalStateException("no irreducible polynomial of degree " + degree + " modulo " + p);
    }

    private static boolean isIrreducible(int[] f, int p) {
        int degree = f.length - 1;
        int power = 1;
        for (int d = 1; 2 * d <= degree; d++) {
            power *= p;
            for (int number = 0; number < power; number++) {
                int[] g = Arrays.copyOf(digits(number, p, d), d + 1);
                g[d] = 1;
                if (divides(g, f, p)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean divides(int[] g, int[] f, int p) {
        int[] rest = f.clone();
        int d = g.length - 1;
        for (int i = rest.length - 1; i >= d; i--) {
            int lead = rest[i];
            for (int j = 0; j <= d; j++) {
                rest[i - j] = Math.floorMod(rest[i - j] - lead * g[d - j], p);
            }
        }
        return Arrays.stream(rest, 0, d).allMatch(c -> c == 0);
    }
}
