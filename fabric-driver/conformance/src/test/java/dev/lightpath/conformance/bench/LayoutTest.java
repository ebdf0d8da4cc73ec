package dev.lightpath.conformance.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LayoutTest {
    /** A switch whose first ports take light in only; the others do both. */
    private static Layout oneSided(int ingressOnly, int both) {
        return layout(ports(ingressOnly, both).build(), DeviceCircuits.getDefaultInstance(), List.of());
    }

    private static DeviceInventory.Builder ports(int ingressOnly, int both) {
        DeviceInventory.Builder inventory = DeviceInventory.newBuilder();
        for (int i = 1; i <= ingressOnly + both; i++) {
            inventory.addPorts(Port.newBuilder()
                    .setName(Integer.toString(i))
                    .setSide(i <= ingressOnly ? PortSide.PORT_SIDE_INGRESS : PortSide.PORT_SIDE_BOTH));
        }
        return inventory;
    }

    private static Layout layout(DeviceInventory inventory, DeviceCircuits lit, List<String> scratch) {
        Capabilities capabilities = Capabilities.newBuilder()
                .setSidedness(Sidedness.SIDEDNESS_ONE_SIDED)
                .build();
        return Layout.of(
                new DeviceUnderTest(Device.getDefaultInstance(), capabilities, inventory, lit),
                scratch,
                Optional.empty());
    }

    private static List<String> circuits(Layout layout) {
        return IntStream.range(0, layout.size())
                .mapToObj(i -> Circuits.text(layout.circuit(i)))
                .toList();
    }

    @Test
    void halvesThePortsOfAOneSidedSwitch() {
        assertThat(circuits(oneSided(0, 32))).containsExactly("1->7", "2->8", "3->9", "4->10", "5->11", "6->12");
        assertThat(circuits(oneSided(0, 7))).containsExactly("1->4", "2->5", "3->6");
    }

    @Test
    void playsWithTwoCircuitsWhereThereAreFewPorts() {
        Layout five = oneSided(0, 5);
        assertThat(circuits(five)).containsExactly("1->3", "2->4");
        assertThat(Circuits.text(five.alternative(0))).isEqualTo("1->5");
        assertThat(Circuits.text(five.alternative(1))).isEqualTo("2->5");
        Layout four = oneSided(0, 4);
        assertThat(circuits(four)).containsExactly("1->3", "2->4");
        assertThatThrownBy(() -> four.alternative(0)).isInstanceOf(Inapplicable.class);
        assertThatThrownBy(() -> oneSided(0, 3)).isInstanceOf(Unusable.class);
    }

    @Test
    void makesManyCircuitsAtOnceWhereThereAreManyPorts() {
        assertThat(circuits(oneSided(0, 12).wide())).isEqualTo(circuits(oneSided(0, 12)));
        assertThat(circuits(oneSided(0, 32).wide()))
                .hasSize(16)
                .startsWith("1->17")
                .endsWith("16->32");
        assertThat(circuits(oneSided(0, 128).wide()))
                .hasSize(32)
                .startsWith("1->33")
                .endsWith("32->64");
        assertThat(oneSided(0, 32).reach().getPortsCount()).isEqualTo(32);
    }

    @Test
    void connectsNoPortToItselfWhereSomeTakeLightInOnly() {
        assertThat(circuits(oneSided(1, 8))).containsExactly("1->5", "2->6", "3->7", "4->8");
        assertThat(circuits(oneSided(20, 4))).containsExactly("1->21", "2->22", "3->23", "4->24");
    }

    @Test
    void takesNoPortForBothWhereSomeTakeLightInOnly() {
        assertThatThrownBy(() -> oneSided(1, 8).backwards(0, 1)).isInstanceOf(Inapplicable.class);
    }

    @Test
    void findsCircuitsOutOfTheOrderOfTheirBytes() {
        assertThat(oneSided(0, 32).unordered().stream().map(Circuits::text)).containsExactly("2->3", "10->11");
    }

    /** Its moves would fail, but whose light that is nobody asked. */
    @Test
    void aFailedPortThatIsLitOrNotOnesToUseIsLeftAlone() {
        DeviceInventory.Builder ports = ports(0, 16);
        List.of(7, 11).forEach(at -> ports.getPortsBuilder(at).setOperState(PortOperState.PORT_OPER_STATE_FAILED));
        DeviceCircuits dark = DeviceCircuits.getDefaultInstance();
        DeviceCircuits lit = DeviceCircuits.newBuilder()
                .addCircuits(Circuit.newBuilder().setKey(Circuits.key("3", "8")))
                .build();
        List<String> scratch = List.of("1", "2", "5", "6", "9", "10");
        assertThat(layout(ports.build(), dark, List.of()).failing().map(CircuitKey::getEgress))
                .hasValue("8");
        assertThat(layout(ports.build(), lit, List.of()).failing().map(CircuitKey::getEgress))
                .hasValue("12");
        assertThat(layout(ports.build(), dark, scratch).failing()).isEmpty();
    }
}
