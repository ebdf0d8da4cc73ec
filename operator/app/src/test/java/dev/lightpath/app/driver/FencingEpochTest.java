package dev.lightpath.app.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FencingEpochTest {
    @Test
    void isHeldForAsLongAsNobodyElseCanHaveTheLease() {
        FencingEpoch epoch = new FencingEpoch();
        AtomicBoolean lasts = new AtomicBoolean(true);
        assertThat(epoch.held()).isZero();
        epoch.won(7, EpochBook.NONE, lasts::get);
        assertThat(epoch.held()).isEqualTo(7);
        lasts.set(false);
        assertThat(epoch.held()).isZero();
        lasts.set(true);
        epoch.lost();
        assertThat(epoch.held()).isZero();
    }
}
