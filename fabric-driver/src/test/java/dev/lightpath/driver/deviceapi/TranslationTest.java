package dev.lightpath.driver.deviceapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.proto.device.v1alpha1.Description;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.BreakBehaviour;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.Duplexity;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program says that can be used by nobody, or harms the driver. */
final class TranslationTest {
    private static Description of(String port) {
        return Description.newBuilder()
                .setKind(DeviceKind.DEVICE_KIND_SWITCH)
                .setCapabilities(Capabilities.newBuilder()
                        .setSidedness(Sidedness.SIDEDNESS_ONE_SIDED)
                        .setDuplexity(Duplexity.DUPLEXITY_SIMPLEX)
                        .setMaxBatch(1)
                        .setMoveConcurrency(MoveConcurrency.MOVE_CONCURRENCY_SERIAL)
                        .setBatchAtomicity(BatchAtomicity.BATCH_ATOMICITY_NONE)
                        .setBreakBehaviour(BreakBehaviour.BREAK_BEHAVIOUR_REFUSES)
                        .setReadBack(ReadBack.READ_BACK_HARDWARE_STATE))
                .addPorts(Port.newBuilder().setName(port).setSide(PortSide.PORT_SIDE_BOTH))
                .build();
    }

    @Test
    void aNameThatRequestsMayHaveIsTaken() throws Exception {
        assertThat(Translation.description("d".repeat(128), of("p".repeat(128)))
                        .device()
                        .getDeviceId())
                .hasSize(128);
    }

    /** The journal has no place for a name of 64 KiB, and one line of a log none for two. */
    @ParameterizedTest
    @ValueSource(ints = {129, 70_000})
    void aNameThatNoRequestMayHaveIsOneLine(int length) {
        assertThatThrownBy(() -> Translation.description("x".repeat(length), of("1")))
                .isInstanceOf(UnusableException.class)
                .hasMessageContaining("device_id 'xxx")
                .hasMessageContaining("has " + length + " characters; allowed are 1 to 128");
        assertThatThrownBy(() -> Translation.description("d", of("x".repeat(length))))
                .isInstanceOf(UnusableException.class)
                .hasMessageContaining("ports: name 'xxx");
    }

    @Test
    void aNameOfTwoLinesIsNone() {
        assertThatThrownBy(() -> Translation.description("d\nWARNING", of("1")))
                .isInstanceOf(UnusableException.class)
                .hasMessageContaining("device_id 'd WARNING'");
    }
}
