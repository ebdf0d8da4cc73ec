package dev.lightpath.planner.polarfly;

import dev.lightpath.planner.graph.Graph;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** The networks the paper compares with (its Table V), routers only. */
public final class ComparedTopologies {
    private ComparedTopologies() {}

    /**
     * Slim Fly of McKay, Miller and Siran: 2q^2 routers of degree (3q - delta)/2 for a prime q = 4w + delta, delta = 1
     * or -1.
     *
     * @throws IllegalArgumentException if q is no prime of that kind
     */
    public static Graph slimFly(int q) {
        int delta = q % 4 == 1 ? 1 : q % 4 == 3 ? -1 : 0;
        if (delta == 0 || !isPrime(q)) {
            throw new IllegalArgumentException("order " + q + ": Slim Fly is made for odd primes here");
        }
        int w = (q - delta) / 4;
        int root = primitiveRoot(q);
        boolean[] first = new boolean[q];
        boolean[] second = new boolean[q];
        if (delta == 1) {
            for (int i = 0; i < q - 1; i += 2) {
                first[power(root, i, q)] = true;
                second[power(root, i + 1, q)] = true;
            }
        } else {
            for (int i = 0; i < w; i++) {
                first[power(root, 2 * i, q)] = true;
                first[power(root, 2 * w - 1 + 2 * i, q)] = true;
                second[power(root, 2 * i + 1, q)] = true;
                second[power(root, 2 * w + 2 * i, q)] = true;
            }
        }
        List<int[]> edges = new ArrayList<>();
        for (int x = 0; x < q; x++) {
            for (int y = 0; y < q; y++) {
                for (int z = y + 1; z < q; z++) {
                    if (first[z - y]) {
                        edges.add(new int[] {x * q + y, x * q + z});
                    }
                    if (second[z - y]) {
                        edges.add(new int[] {q * q + x * q + y, q * q + x * q + z});
                    }
                }
                for (int m = 0; m < q; m++) {
                    int c = Math.floorMod(y - m * x, q);
                    edges.add(new int[] {x * q + y, q * q + m * q + c});
                }
            }
        }
        return Graph.of(2 * q * q, edges);
    }

    /** Dragonfly: a*h + 1 groups of a routers, h global links each, joined in the palm-tree order. */
    public static Graph dragonfly(int routersPerGroup, int globalLinks) {
        int a = routersPerGroup;
        int groups = a * globalLinks + 1;
        List<int[]> edges = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            for (int r = 0; r < a; r++) {
                for (int s = r + 1; s < a; s++) {
                    edges.add(new int[] {g * a + r, g * a + s});
                }
            }
            for (int link = 0; link < a * globalLinks; link++) {
                int peer = (g + link + 1) % groups;
                int back = a * globalLinks - 1 - link;
                if (g < peer) {
                    edges.add(new int[] {g * a + link / globalLinks, peer * a + back / globalLinks});
                }
            }
        }
        return Graph.of(groups * a, edges);
    }

    /** Jellyfish: a random regular graph, from a configuration whose loops and doubles are swapped away. */
    public static Graph jellyfish(int routers, int degree, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] ends = new int[routers * degree];
        for (int i = 0; i < ends.length; i++) {
            int j = random.nextInt(i + 1);
            ends[i] = ends[j];
            ends[j] = i / degree;
        }
        Set<Long> present = new HashSet<>();
        List<Integer> bad = new ArrayList<>();
        for (int e = 0; e < ends.length; e += 2) {
            if (ends[e] == ends[e + 1] || !present.add(key(ends[e], ends[e + 1]))) {
                bad.add(e);
            }
        }
        while (!bad.isEmpty()) {
            int e = bad.getLast();
            int f = 2 * random.nextInt(ends.length / 2);
            int a = ends[e];
            int b = ends[e + 1];
            int c = ends[f];
            int d = ends[f + 1];
            if (bad.contains(f)
                    || a == c
                    || b == d
                    || present.contains(key(a, c))
                    || present.contains(key(b, d))
                    || key(a, c) == key(b, d)) {
                continue;
            }
            present.remove(key(c, d));
            ends[e + 1] = c;
            ends[f] = b;
            present.add(key(a, c));
            present.add(key(b, d));
            bad.removeLast();
        }
        return Graph.of(routers, ends);
    }

    /** The k-ary n-tree of n levels of k^(n-1) switches. */
    public static Graph fatTree(int k, int levels) {
        int width = 1;
        for (int i = 1; i < levels; i++) {
            width *= k;
        }
        List<int[]> edges = new ArrayList<>();
        int place = 1;
        for (int level = 0; level + 1 < levels; level++) {
            for (int w = 0; w < width; w++) {
                int digit = w / place % k;
                for (int other = 0; other < k; other++) {
                    edges.add(new int[] {level * width + w, (level + 1) * width + w + (other - digit) * place});
                }
            }
            place *= k;
        }
        return Graph.of(levels * width, edges);
    }

    private static long key(int a, int b) {
        return (long) Math.min(a, b) << 32 | Math.max(a, b);
    }

    private static boolean isPrime(int q) {
        for (int p = 2; p * p <= q; p++) {
            if (q % p == 0) {
                return false;
            }
        }
        return q > 1;
    }

    private static int primitiveRoot(int q) {
        for (int g = 2; g < q; g++) {
            int x = g;
            int order = 1;
            while (x != 1) {
                x = x * g % q;
                order++;
            }
            if (order == q - 1) {
                return g;
            }
        }
        throw new IllegalStateException("no primitive root modulo " + q);
    }

    private static int power(int base, int exponent, int q) {
        int x = 1;
        for (int i = 0; i < exponent; i++) {
            x = x * base % q;
        }
        return x;
    }
}
