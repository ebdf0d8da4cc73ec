package dev.lightpath.benchmarks.life;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreTest {
    @Test
    void tellsTheKindOfAnObjectByItsKey() {
        assertThat(Store.kind("/registry/lightpath.dev/fabricslices/default/live-1-scale-up"))
                .isEqualTo("fabricslices");
        assertThat(Store.kind("/registry/events/default/live-1.0a")).isEqualTo("events");
        assertThat(Store.kind("/registry/minions/n1.example.com")).isEqualTo("nodes");
        assertThat(Store.kind("/registry/namespaces/a.b")).isEqualTo("namespaces");
    }
}
