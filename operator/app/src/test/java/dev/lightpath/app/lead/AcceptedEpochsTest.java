package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.EpochMark;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which epochs of others a person may have the operator pass. */
final class AcceptedEpochsTest {
    private static final String ROLE = "cluster/ring-a";
    private static final long LAST = 7;

    private static OpticalFabric accepting(long epoch) {
        OpticalFabric fabric = new OpticalFabric();
        fabric.setMetadata(new ObjectMetaBuilder()
                .withName("ring-a")
                .withAnnotations(Map.of(LightpathAnnotations.ACCEPTED_EPOCH, Long.toString(epoch)))
                .build());
        return fabric;
    }

    private static DriverState driver(long epoch) {
        return new DriverState(
                DriverState.Contact.SYNCED,
                Optional.empty(),
                "driver",
                "1",
                epoch,
                new TreeMap<>(),
                false,
                new TreeMap<>(Map.of(ROLE, new EpochMark(epoch, "somebody"))),
                new TreeMap<>(),
                new TreeSet<>());
    }

    private static long highest(long accepted, DriverState driver) {
        return new AcceptedEpochs().highest(List.of(accepting(accepted)), fabric -> ROLE, List.of(driver), LAST);
    }

    @Test
    void anAcceptedEpochCounts() {
        assertThat(highest(20, driver(20))).isEqualTo(20);
        assertThat(highest(19, driver(20))).isZero();
    }

    /** No epoch could follow the highest one, on no driver of the installation. */
    @Test
    void anEpochFarAboveTheLastOneIsNotAccepted() {
        long most = LAST + EpochMark.MOST_ABOVE;
        assertThat(highest(Long.MAX_VALUE - 1, driver(most))).isEqualTo(most);
        assertThat(highest(Long.MAX_VALUE - 1, driver(most + 1))).isZero();
        assertThat(highest(Long.MAX_VALUE - 1, driver(Long.MAX_VALUE - 1))).isZero();
    }

    @Test
    void twoRefusedEpochsAreToldOnceEach() {
        List<String> lines = new ArrayList<>();
        AcceptedEpochs epochs = new AcceptedEpochs(lines::add);
        long high = LAST + EpochMark.MOST_ABOVE;
        for (int pass = 0; pass < 3; pass++) {
            for (long above = 1; above <= 2; above++) {
                var unused = epochs.highest(
                        List.of(accepting(Long.MAX_VALUE - 1)), fabric -> ROLE, List.of(driver(high + above)), LAST);
            }
        }
        assertThat(lines).hasSize(2).doesNotHaveDuplicates();
    }
}
