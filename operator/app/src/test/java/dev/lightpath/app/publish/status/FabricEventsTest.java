package dev.lightpath.app.publish.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import java.util.List;
import org.junit.jupiter.api.Test;

class FabricEventsTest {
    private static OpticalFabricStatus status(FabricVerdict verdict, DriverState driver) {
        return FabricStatusProjector.project(verdict, Scenes.ring(false), driver, null, 1, Scenes.NOW);
    }

    private static OpticalFabricStatus status(FabricVerdict verdict) {
        return status(verdict, Scenes.synced());
    }

    private static List<EventReason> reasons(List<ObjectEvent> happenings) {
        return happenings.stream().map(ObjectEvent::reason).toList();
    }

    @Test
    void aFirstContactIsAnEvent() {
        assertThat(reasons(FabricEvents.between(null, status(Scenes.sound())))).containsExactly(EventReason.CONNECTED);
    }

    @Test
    void nothingIsToldTwice() {
        assertThat(FabricEvents.between(status(Scenes.faulty(3)), status(Scenes.faulty(3))))
                .isEmpty();
    }

    @Test
    void contactIsLostAndFoundButNeverLostBeforeItWasThere() {
        OpticalFabricStatus away = status(Scenes.sound(), Scenes.driver(Contact.UNREACHABLE, "refused"));
        assertThat(FabricEvents.between(status(Scenes.sound()), away))
                .singleElement()
                .satisfies(lost -> {
                    assertThat(lost.reason()).isEqualTo(EventReason.DISCONNECTED);
                    assertThat(lost.warning()).isTrue();
                    assertThat(lost.message()).contains("DriverUnreachable", "refused");
                });
        assertThat(reasons(FabricEvents.between(away, status(Scenes.sound())))).containsExactly(EventReason.CONNECTED);
        assertThat(FabricEvents.between(null, away)).isEmpty();
    }

    @Test
    void manyFaultsAreOneEvent() {
        assertThat(FabricEvents.between(status(Scenes.sound()), status(Scenes.faulty(20))))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.reason()).isEqualTo(EventReason.FAULT_DETECTED);
                    assertThat(found.message()).contains("node/n0", "and 12 more");
                });
    }

    @Test
    void faultsThatWentAreOneEvent() {
        assertThat(FabricEvents.between(status(Scenes.faulty(3)), status(Scenes.faulty(1))))
                .containsExactly(new ObjectEvent(EventReason.FAULT_CLEARED, false, "well again: node/n1, node/n2"));
    }

    @Test
    void aFaultPushedOutOfAFullListIsNotCleared() {
        OpticalFabricStatus full = status(Scenes.faulty(64));
        OpticalFabricStatus other = new OpticalFabricStatus(
                1L,
                full.conditions(),
                null,
                null,
                null,
                null,
                null,
                List.of(),
                full.faults().reversed(),
                null,
                null,
                null);
        assertThat(FabricEvents.between(status(Scenes.faulty(70)), other)).isEmpty();
    }

    @Test
    void foreignLightAndMassFailureAreToldWhenTheyBegin() {
        OpticalFabricStatus foreign = status(Scenes.verdict(new FabricVerdict.Circuits(16, 16, 2, 0)));
        assertThat(reasons(FabricEvents.between(status(Scenes.sound()), foreign)))
                .containsExactly(EventReason.FOREIGN_CIRCUIT);
        OpticalFabricStatus mass =
                status(Scenes.verdict(new FabricVerdict.Circuits(16, 16, 0, 0), List.of(), List.of(), "", true, false));
        assertThat(reasons(FabricEvents.between(status(Scenes.sound()), mass)))
                .containsExactly(EventReason.MASS_FAILURE);
        assertThat(FabricEvents.between(mass, mass)).isEmpty();
    }
}
