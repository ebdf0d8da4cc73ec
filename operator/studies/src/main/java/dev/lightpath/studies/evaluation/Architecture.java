package dev.lightpath.studies.evaluation;

import dev.lightpath.planner.ring.RingShape;

/**
 * A high-bandwidth domain architecture as a rule for how many GPUs can work in groups of t (InfinitePOD section 6.2).
 *
 * <p>Waste is (healthy - usable) / total.
 */
public sealed interface Architecture {

    String name();

    /**
     * GPUs that work in full groups. O(nodes).
     *
     * @param faulty per node, in the order of deployment
     * @param gpusPerNode R
     * @param tensor t, GPUs of a group; a multiple or a divisor of R
     */
    int usableGpus(boolean[] faulty, int gpusPerNode, int tensor);

    /** One ideal switch over all nodes: floor(healthy / t) groups. */
    record BigSwitch() implements Architecture {
        @Override
        public String name() {
            return "Big-Switch";
        }

        @Override
        public int usableGpus(boolean[] faulty, int gpusPerNode, int tensor) {
            return healthy(faulty) * gpusPerNode / tensor * tensor;
        }
    }

    /**
     * InfinitePOD: K or more faulty nodes in a row break the line; each part gives floor(nodes / m) groups of m nodes.
     */
    record KHop(int reach, RingShape shape) implements Architecture {
        @Override
        public String name() {
            return "InfinitePOD K=" + reach;
        }

        @Override
        public int usableGpus(boolean[] faulty, int gpusPerNode, int tensor) {
            if (tensor < gpusPerNode) {
                return healthy(faulty) * (gpusPerNode / tensor * tensor);
            }
            int size = tensor / gpusPerNode;
            int groups = 0;
            int part = 0;
            int first = -1;
            int run = 0;
            for (boolean down : faulty) {
                if (!down) {
                    part++;
                    run = 0;
                } else if (++run == reach) {
                    if (first < 0) {
                        first = part;
                    } else {
                        groups += part / size;
                    }
                    part = 0;
                }
            }
            if (first < 0) {
                return part / size * tensor;
            }
            boolean wraps = shape == RingShape.RING && !breaksAtTheEnds(faulty);
            groups += wraps ? (part + first) / size : part / size + first / size;
            return groups * tensor;
        }

        private boolean breaksAtTheEnds(boolean[] faulty) {
            int run = 0;
            for (int i = faulty.length - 1; i >= 0 && faulty[i]; i--) {
                run++;
            }
            for (int i = 0; i < faulty.length && faulty[i]; i++) {
                run++;
            }
            return run >= reach;
        }
    }

    /**
     * NVL-72 and its like, and TPUv4's cubes of 64: domains of a fixed number of GPUs, each with floor(healthy / t)
     * groups.
     */
    record FixedDomains(String name, int gpus) implements Architecture {
        @Override
        public int usableGpus(boolean[] faulty, int gpusPerNode, int tensor) {
            int total = faulty.length * gpusPerNode;
            int usable = 0;
            for (int start = 0; start < total; start += gpus) {
                int end = Math.min(start + gpus, total);
                int healthy = 0;
                for (int node = start / gpusPerNode; node * gpusPerNode < end; node++) {
                    if (!faulty[node]) {
                        int from = Math.max(start, node * gpusPerNode);
                        healthy += Math.min(end, (node + 1) * gpusPerNode) - from;
                    }
                }
                usable += healthy / tensor * tensor;
            }
            return usable;
        }
    }

    /** SiP-Ring: static rings of t GPUs, all or nothing. */
    record SipRing() implements Architecture {
        @Override
        public String name() {
            return "SiP-Ring";
        }

        @Override
        public int usableGpus(boolean[] faulty, int gpusPerNode, int tensor) {
            int size = Math.max(1, tensor / gpusPerNode);
            int usable = 0;
            for (int start = 0; start + size <= faulty.length; start += size) {
                boolean whole = true;
                for (int node = start; node < start + size && whole; node++) {
                    whole = !faulty[node];
                }
                usable += whole ? size * gpusPerNode / tensor * tensor : 0;
            }
            return usable;
        }
    }

    private static int healthy(boolean[] faulty) {
        int healthy = 0;
        for (boolean down : faulty) {
            healthy += down ? 0 : 1;
        }
        return healthy;
    }
}
