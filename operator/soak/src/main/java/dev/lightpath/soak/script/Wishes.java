package dev.lightpath.soak.script;

import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.oracle.SpineScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Draws jobs that suit an environment: groups of 8 to 64 GPUs, most of them of 32, where the ring is long enough for
 * them.
 */
final class Wishes {
    private static final int[] TENSORS = {8, 16, 16, 32, 32, 32, 32, 32, 64};

    private final Random random;
    private final RingScheme ring;
    private final Optional<SpineScheme> spine;
    private int drawn;

    Wishes(Random random, RingScheme ring, Optional<SpineScheme> spine) {
        this.random = random;
        this.ring = ring;
        this.spine = spine;
    }

    JobWish draw() {
        String name = "live-" + ++drawn;
        if (spine.isPresent()) {
            int kind = random.nextInt(5);
            if (kind < 2) {
                return new JobWish(
                        name,
                        8,
                        2,
                        2,
                        Optional.of(ring.fabric()),
                        Optional.of(spine.get().fabric()));
            }
            if (kind == 2) {
                return new JobWish(
                        name, 4, 2, 2, Optional.empty(), Optional.of(spine.get().fabric()));
            }
        }
        List<Integer> tensors = new ArrayList<>();
        for (int tensor : TENSORS) {
            if (tensor % ring.gpusPerNode() == 0 && tensor / ring.gpusPerNode() <= Math.max(2, ring.positions() / 2)) {
                tensors.add(tensor);
            }
        }
        int tensor = tensors.isEmpty() ? ring.gpusPerNode() : tensors.get(random.nextInt(tensors.size()));
        int most = Math.clamp(ring.positions() / 8L * ring.gpusPerNode() / tensor, 1, 8);
        return new JobWish(name, tensor, 1, 1 + random.nextInt(most), Optional.of(ring.fabric()), Optional.empty());
    }
}
