package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ShareTest {
    @Test
    void theWholeIsWhateverThereIs() {
        assertThat(Share.WHOLE.leads("new")).isTrue();
        assertThat(Share.WHOLE.rest()).isTrue();
        assertThat(Share.WHOLE.isNothing()).isFalse();
    }

    /** A fabric that is new belongs to whoever gets its Lease, and until then to nobody. */
    @Test
    void theRestIsNoFabric() {
        assertThat(Share.of(Set.of("a"), true).leads("a")).isTrue();
        assertThat(Share.of(Set.of("a"), true).leads("c")).isFalse();
        assertThat(Share.of(Set.of(), true).isNothing()).isFalse();
        assertThat(Share.of(Set.of(), false).isNothing()).isTrue();
    }
}
