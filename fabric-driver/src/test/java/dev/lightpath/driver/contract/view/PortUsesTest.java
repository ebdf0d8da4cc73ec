package dev.lightpath.driver.contract.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PortUsesTest {
    private static PortMap ports(boolean twoSided) {
        return new PortMap(new DeviceDescription(
                Device.newBuilder().setDeviceId("d").build(),
                Capabilities.newBuilder()
                        .setSidedness(twoSided ? Sidedness.SIDEDNESS_TWO_SIDED : Sidedness.SIDEDNESS_ONE_SIDED)
                        .build(),
                DeviceInventory.getDefaultInstance()));
    }

    /** Compares with the definition: two circuits with a place in common exclude each other. */
    @Test
    void findsWhatALookAtEveryCircuitFinds() {
        long seed = Long.getLong("lightpath.seed", System.nanoTime());
        System.out.println("lightpath.seed=" + seed);
        Random random = new Random(seed);
        for (int world = 0; world < 200; world++) {
            boolean twoSided = random.nextBoolean();
            PortUses uses = ports(twoSided).uses(List.of());
            Set<CircuitPair> all = new HashSet<>();
            for (int change = 0; change < 30; change++) {
                CircuitPair some = pair(random);
                if (random.nextInt(3) > 0) {
                    uses.add(some);
                    all.add(some);
                } else {
                    uses.remove(some);
                    all.remove(some);
                }
                CircuitPair wanted = pair(random);
                assertThat(uses.inTheWay(wanted))
                        .containsExactlyElementsOf(all.stream()
                                .filter(each -> !each.equals(wanted) && meet(each, wanted, twoSided))
                                .sorted()
                                .toList());
                assertThat(uses.from(wanted.ingress()))
                        .isEqualTo(all.stream()
                                .filter(each -> each.ingress().equals(wanted.ingress()))
                                .sorted()
                                .findFirst());
            }
        }
    }

    private static CircuitPair pair(Random random) {
        return new CircuitPair("" + random.nextInt(6), "" + random.nextInt(6));
    }

    private static boolean meet(CircuitPair one, CircuitPair other, boolean twoSided) {
        if (twoSided) {
            return one.ingress().equals(other.ingress()) || one.egress().equals(other.egress());
        }
        List<String> ports = new ArrayList<>(List.of(one.ingress(), one.egress()));
        return ports.contains(other.ingress()) || ports.contains(other.egress());
    }
}
