package dev.lightpath.driver.contract;

import static dev.lightpath.driver.contract.ObedientSwitch.DEVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device that two adapters describe. */
final class TwoAdaptersTest {
    @TempDir
    private Path directory;

    private final ObedientSwitch one = new ObedientSwitch();
    private final ObedientSwitch other = new ObedientSwitch();
    private FleetBench bench;

    @BeforeEach
    void start() throws Exception {
        bench = new FleetBench(directory, one, other);
    }

    @AfterEach
    void stop() throws Exception {
        bench.close();
    }

    private void otherServesWhatOneHasToo() {
        other.describe(DEVICE, 8);
        other.present(DEVICE, List.of());
        one.describe(DEVICE, 8);
        one.present(DEVICE, List.of());
        one.again = this::oneHasIt;
    }

    @Test
    void staysWhenTheAdapterThatDoesNotServeItNoLongerHasIt() {
        one.describe(DEVICE, 8);
        one.present(DEVICE, List.of());
        other.describe(DEVICE, 8);

        other.says().removed(DEVICE);

        assertIsServedByOne();
    }

    @Test
    void staysWhenTheAdapterThatServedItBeforeNoLongerHasIt() {
        other.describe(DEVICE, 8);
        other.says().silent(DEVICE, "its program is away");
        one.describe(DEVICE, 8);
        one.present(DEVICE, List.of());

        other.says().removed(DEVICE);

        assertIsServedByOne();
    }

    /** As when it moves to another program, which is started before it is taken from the first. */
    @Test
    void isServedByTheOtherOneOnceItIsTakenFromTheFirst() {
        otherServesWhatOneHasToo();

        other.says().removed(DEVICE);

        awaitPresent();
        assertIsServedByOne();
    }

    /** As when it moves to another program, and the first is stopped then. */
    @Test
    void isServedByTheOtherOneOnceTheFirstNoLongerAnswers() {
        otherServesWhatOneHasToo();

        other.says().silent(DEVICE, "its program is away");

        awaitPresent();
        assertIsServedByOne();
    }

    @Test
    void isServedByTheFirstOnceItIsTakenFromTheOneThatDescribedItBeforeTheFirstHadRead() {
        one.describe(DEVICE, 8);
        other.describe(DEVICE, 8);
        other.present(DEVICE, List.of());
        one.present(DEVICE, List.of());
        one.again = this::oneHasIt;

        other.says().removed(DEVICE);

        awaitPresent();
        assertIsServedByOne();
    }

    @Test
    void isServedByTheOneThatAnswersAgainFirst() {
        oneHasIt();
        one.says().silent(DEVICE, "it does not answer");
        other.describe(DEVICE, 8);
        other.says().silent(DEVICE, "it does not answer");
        one.again = this::oneHasIt;

        one.present(DEVICE, List.of());

        awaitPresent();
        assertIsServedByOne();
    }

    @Test
    void isNotDescribedWithoutEndWhileItAnswersNeither() {
        AtomicInteger again = new AtomicInteger();
        for (ObedientSwitch each : List.of(one, other)) {
            each.again = () -> {
                again.incrementAndGet();
                each.describe(DEVICE, 8);
                each.says().silent(DEVICE, "it does not answer");
            };
        }
        other.describe(DEVICE, 8);
        other.present(DEVICE, List.of());
        one.describe(DEVICE, 8);

        other.says().silent(DEVICE, "it does not answer");

        // long enough for many
        await().during(300, TimeUnit.MILLISECONDS).atMost(60, TimeUnit.SECONDS).until(() -> again.get() == 1);
    }

    private void oneHasIt() {
        one.describe(DEVICE, 8);
        one.present(DEVICE, List.of());
    }

    private void awaitPresent() {
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> bench.fleet.find(DEVICE).stream()
                        .anyMatch(device -> device.view().availability() == Availability.AVAILABILITY_PRESENT));
    }

    private void assertIsServedByOne() {
        assertThat(bench.fleet.find(DEVICE)).isPresent();
        assertThat(bench.fleet.device(DEVICE).view().availability()).isEqualTo(Availability.AVAILABILITY_PRESENT);
        one.present(DEVICE, ObedientSwitch.lit("1", "2"));
        assertThat(bench.fleet.device(DEVICE).view().circuits()).containsOnlyKeys(new CircuitPair("1", "2"));
    }
}
