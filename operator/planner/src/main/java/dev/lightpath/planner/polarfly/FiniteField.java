package dev.lightpath.planner.polarfly;

/**
 * The field of q = p^m elements. An element is the number of its digit vector to base p (lowest digit: constant term);
 * products are taken modulo the first irreducible monic polynomial in lexicographic order. Tables of q^2 entries;
 * immutable.
 */
public final class FiniteField {
    /** The largest order offered: tables of 2^16 entries. */
    public static final int MAX_ORDER = 256;

    private final int order;
    private final short[] sum;
    private final short[] product;
    private final short[] negative;
    private final short[] inverse;

    private FiniteField(int order, int characteristic, int[] modulus) {
        this.order = order;
        sum = new short[order * order];
        product = new short[order * order];
        negative = new short[order];
        inverse = new short[order];
        int m = modulus.length - 1;
        for (int a = 0; a < order; a++) {
            for (int b = 0; b < order; b++) {
                int[] da = Polynomials.digits(a, characteristic, m);
                int[] db = Polynomials.digits(b, characteristic, m);
                int[] added = new int[m];
                for (int i = 0; i < m; i++) {
                    added[i] = (da[i] + db[i]) % characteristic;
                }
                int s = Polynomials.number(added, characteristic);
                int x = Polynomials.number(Polynomials.product(da, db, modulus, characteristic), characteristic);
                sum[a * order + b] = (short) s;
                product[a * order + b] = (short) x;
                if (s == 0) {
                    negative[a] = (short) b;
                }
                if (x == 1) {
                    inverse[a] = (short) b;
                }
            }
        }
    }

    /**
     * The field of an order.
     *
     * @throws IllegalArgumentException if the order is no prime power between 2 and 256
     */
    public static FiniteField of(int order) {
        if (order < 2 || order > MAX_ORDER) {
            throw new IllegalArgumentException("order " + order + ": a prime power from 2 to " + MAX_ORDER);
        }
        int p = 2;
        while (order % p != 0) {
            p++;
        }
        int m = 0;
        int rest = order;
        while (rest % p == 0) {
            rest /= p;
            m++;
        }
        if (rest != 1) {
            throw new IllegalArgumentException(
                    "order " + order + " is no prime power: it is divisible by " + p + " and " + rest);
        }
        return new FiniteField(order, p, Polynomials.irreducible(p, m));
    }

    public int order() {
        return order;
    }

    public int add(int a, int b) {
        return sum[a * order + b];
    }

    public int multiply(int a, int b) {
        return product[a * order + b];
    }

    public int negate(int a) {
        return negative[a];
    }

    public int subtract(int a, int b) {
        return sum[a * order + negative[b]];
    }

    /** The inverse of a non-zero element. */
    public int invert(int a) {
        if (a == 0) {
            throw new IllegalArgumentException("0 has no inverse");
        }
        return inverse[a];
    }
}
