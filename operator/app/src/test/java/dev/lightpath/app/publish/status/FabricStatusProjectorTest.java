package dev.lightpath.app.publish.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.console.ForeignLight;
import dev.lightpath.console.ReadBack;
import dev.lightpath.crds.fabric.CircuitCounts;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.fabric.OpticalHealthStatus;
import dev.lightpath.planner.engine.decision.DegradingPort;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.health.Place;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FabricStatusProjectorTest {
    private static OpticalFabricStatus project(FabricVerdict verdict, DriverState driver) {
        return FabricStatusProjector.project(verdict, Scenes.ring(false), driver, null, 3, Scenes.NOW);
    }

    private static Condition condition(OpticalFabricStatus status, String type) {
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private static String said(OpticalFabricStatus status, String type) {
        Condition condition = condition(status, type);
        return condition.getStatus() + " " + condition.getReason();
    }

    @Test
    void aSoundFabricIsReadyAndNothingElse() {
        OpticalFabricStatus status = project(Scenes.sound(), Scenes.synced());
        assertThat(said(status, "Connected")).isEqualTo("True Satisfied");
        assertThat(said(status, "InSync")).isEqualTo("True Satisfied");
        assertThat(said(status, "Ready")).isEqualTo("True Satisfied");
        assertThat(said(status, "Reconciling")).startsWith("False");
        assertThat(said(status, "Stalled")).startsWith("False");
        assertThat(status.observedGeneration()).isEqualTo(3);
        assertThat(status.conditions())
                .allSatisfy(condition ->
                        assertThat(condition.getObservedGeneration()).isEqualTo(3));
        assertThat(status.circuits()).isEqualTo(new CircuitCounts(16, 16, 0, 0, List.of()));
        assertThat(status.driver()).satisfies(driver -> {
            assertThat(driver.connected()).isTrue();
            assertThat(driver.epoch()).isEqualTo(7);
        });
    }

    @Test
    void aDriverWithoutTlsIsToldAndDoesNotMakeAFabricUnready() {
        DriverState secured = Scenes.synced();
        DriverState plaintext = new DriverState(
                secured.contact(),
                secured.problem(),
                secured.name(),
                secured.version(),
                secured.highestEpoch(),
                secured.devices(),
                true,
                secured.strange(),
                secured.revisions(),
                secured.foreign());
        OpticalFabricStatus status = project(Scenes.sound(), plaintext);
        assertThat(said(status, "Insecure")).isEqualTo("True Plaintext");
        assertThat(condition(status, "Insecure").getMessage()).contains("no TLS to driver", "driver.tls");
        assertThat(said(status, "Ready")).isEqualTo("True Satisfied");
        assertThat(project(Scenes.sound(), secured).conditions())
                .extracting(Condition::getType)
                .doesNotContain("Insecure");
    }

    /** Slices that share nothing with it are served. */
    @Test
    void aRecordThatIsRefusedIsToldAndDoesNotMakeAFabricUnready() {
        OpticalFabricStatus status =
                project(Scenes.refusing(Scenes.sound(), "slice team/a: no room in etcd"), Scenes.synced());
        assertThat(said(status, "Ready")).isEqualTo("True RecordRefused");
        assertThat(condition(status, "Ready").getMessage())
                .isEqualTo("the API server refuses the record of slice team/a: no room in etcd; slices"
                        + " that share nodes, ports or the job with it wait");
    }

    @ParameterizedTest
    @CsvSource({
        "UNREACHABLE, DriverUnreachable, true",
        "AUTHENTICATION_FAILED, AuthenticationFailed, false",
        "CONTRACT_MISMATCH, ContractMismatch, false",
        "STALE_EPOCH, StaleEpoch, true",
        "FOREIGN_ROLE, Rejected, false"
    })
    void aDriverOutOfContactSaysWhyAndLeavesTheLightUnread(Contact contact, String reason, boolean heals) {
        OpticalFabricStatus status = project(Scenes.sound(), Scenes.driver(contact, "connection refused"));
        assertThat(said(status, "Connected")).isEqualTo("False " + reason);
        assertThat(condition(status, "Connected").getMessage()).contains(Scenes.DRIVER, "connection refused");
        assertThat(said(status, "InSync")).isEqualTo("Unknown Unread");
        assertThat(said(status, "Ready")).isEqualTo("False " + reason);
        assertThat(said(status, heals ? "Reconciling" : "Stalled")).isEqualTo("True " + reason);
        assertThat(said(status, heals ? "Stalled" : "Reconciling")).startsWith("False");
    }

    @Test
    void missingCircuitsAreCountedAndHeal() {
        OpticalFabricStatus status = project(Scenes.verdict(new FabricVerdict.Circuits(16, 13, 0, 3)), Scenes.synced());
        assertThat(said(status, "InSync")).isEqualTo("False MissingCircuits");
        assertThat(condition(status, "InSync").getMessage()).contains("3 of 16");
        assertThat(said(status, "Ready")).isEqualTo("False MissingCircuits");
        assertThat(said(status, "Reconciling")).isEqualTo("True MissingCircuits");
    }

    @Test
    void foreignCircuitsAreNamedUpToFiveAndNeedAPerson() {
        OpticalFabricStatus status = project(Scenes.verdict(new FabricVerdict.Circuits(16, 16, 7, 2)), Scenes.synced());
        assertThat(said(status, "InSync")).isEqualTo("False ForeignCircuits");
        assertThat(condition(status, "InSync").getMessage())
                .contains("7 circuits", "n4/b0.common->b0.path1 and 2 more")
                .doesNotContain("n5");
        assertThat(said(status, "Stalled")).isEqualTo("True ForeignCircuits");
    }

    /** As a replica does that does not lead the fabric. */
    @Test
    void foreignCircuitsAreReadBackFromWhatTheStatusSays() {
        OpticalFabric fabric = new OpticalFabric();
        fabric.setMetadata(new ObjectMetaBuilder().withName("ring-a").build());
        assertThat(ForeignLight.of(fabric, null)).isEqualTo(new ForeignLight(List.of(), 0));
        fabric.setStatus(project(Scenes.sound(), Scenes.synced()));
        assertThat(ForeignLight.of(fabric, null)).isEqualTo(new ForeignLight(List.of(), 0));
        fabric.setStatus(project(Scenes.verdict(new FabricVerdict.Circuits(16, 16, 7, 2)), Scenes.synced()));
        ForeignLight told = ForeignLight.of(fabric, null);
        assertThat(told.circuits()).hasSize(7).contains("n6/b0.common->b0.path1");
        assertThat(told.unnamed()).isZero();
        assertThat(told.devices()).containsExactlyInAnyOrder("n0", "n1", "n2", "n3", "n4", "n5", "n6");
        fabric.setStatus(project(Scenes.verdict(new FabricVerdict.Circuits(160, 160, 70, 2)), Scenes.synced()));
        ForeignLight many = ForeignLight.of(fabric, null);
        assertThat(many.circuits()).hasSize(64);
        assertThat(many.unnamed()).isEqualTo(6);
        ReadBack light = new ReadBack("now", List.of("n9/b0.common->b0.path1"), Map.of());
        assertThat(ForeignLight.of(fabric, light)).isEqualTo(new ForeignLight(light.foreign(), 0));
    }

    @Test
    void oneSilentDeviceDoesNotPutTheFabricOutOfSync() {
        OpticalFabricStatus status = project(Scenes.verdict(new FabricVerdict.Circuits(16, 14, 0, 0)), Scenes.synced());
        assertThat(said(status, "Ready")).isEqualTo("True Satisfied");
        assertThat(condition(status, "InSync").getMessage()).contains("2 are on devices that do not answer");
    }

    @Test
    void nothingReadBackIsUnread() {
        OpticalFabricStatus status = project(Scenes.verdict(new FabricVerdict.Circuits(16, 0, 0, 0)), Scenes.synced());
        assertThat(said(status, "InSync")).isEqualTo("Unknown Unread");
        assertThat(said(status, "Ready")).isEqualTo("Unknown Unread");
    }

    @Test
    void pausedComesFirstAndIsNobodysFault() {
        OpticalFabricStatus status = FabricStatusProjector.project(
                Scenes.sound(), Scenes.ring(true), Scenes.driver(Contact.UNREACHABLE, "gone"), null, 1, Scenes.NOW);
        assertThat(said(status, "Ready")).isEqualTo("False Paused");
        assertThat(said(status, "Connected")).isEqualTo("False DriverUnreachable");
        assertThat(said(status, "Stalled")).startsWith("False");
        assertThat(said(status, "Reconciling")).startsWith("False");
    }

    @Test
    void aMassFailureOfDevicesThatAreNotAsDescribedNamesThem() {
        OpticalFabricStatus status = project(
                Scenes.verdict(
                        new FabricVerdict.Circuits(16, 16, 0, 0),
                        List.of(),
                        List.of(),
                        "device n0: there is no port b3.common",
                        true,
                        false),
                Scenes.synced());
        assertThat(status.conditions().stream()
                        .filter(condition -> condition.getType().equals("Ready"))
                        .findFirst()
                        .orElseThrow()
                        .getMessage())
                .contains("resume-after-mass-failure", "no port b3.common");
    }

    @ParameterizedTest
    @CsvSource({
        "true, false, '', MassFailure",
        "false, true, '', AwaitingAdoption",
        "true, true, nodes a and b claim position 3, AwaitingAdoption",
        "false, false, nodes a and b claim position 3, InvalidWiring"
    })
    void whatStopsThePlannerIsTheReason(boolean mass, boolean awaiting, String wiring, String reason) {
        OpticalFabricStatus status = project(
                Scenes.verdict(new FabricVerdict.Circuits(16, 16, 0, 0), List.of(), List.of(), wiring, mass, awaiting),
                Scenes.synced());
        assertThat(said(status, "Ready")).isEqualTo("False " + reason);
        assertThat(said(status, "Stalled")).isEqualTo("True " + reason);
        assertThat(said(status, "InSync")).isEqualTo("True Satisfied");
    }

    @Test
    void everyConditionHasASentence() {
        List<OpticalFabricStatus> all = List.of(
                project(Scenes.sound(), Scenes.synced()),
                project(Scenes.sound(), Scenes.driver(Contact.UNREACHABLE, "refused")),
                UnattendedStatus.pending(null, 1, Scenes.NOW),
                UnattendedStatus.impossible(null, 1, Scenes.NOW, "positions 7 is no multiple of 2"));
        assertThat(all)
                .allSatisfy(status -> assertThat(status.conditions())
                        .hasSize(5)
                        .allSatisfy(
                                condition -> assertThat(condition.getMessage()).isNotBlank()));
        assertThat(condition(all.getFirst(), "Stalled").getMessage()).isEqualTo("nothing needs a person");
        assertThat(condition(all.get(1), "Reconciling").getMessage()).contains("refused");
        assertThat(condition(all.get(1), "Stalled").getMessage()).isEqualTo("it goes on by itself as soon as it can");
    }

    @Test
    void invalidWiringNamesTheNodes() {
        OpticalFabricStatus status = project(
                Scenes.verdict(
                        new FabricVerdict.Circuits(16, 16, 0, 0),
                        List.of(),
                        List.of(),
                        "nodes a and b claim position 3",
                        false,
                        false),
                Scenes.synced());
        assertThat(condition(status, "Ready").getMessage()).isEqualTo("nodes a and b claim position 3");
    }

    @Test
    void showsTheNewestSixtyFourFaults() {
        List<FaultRecord> faults = project(Scenes.faulty(70), Scenes.synced()).faults();
        assertThat(faults).hasSize(64);
        assertThat(faults.getFirst())
                .isEqualTo(new FaultRecord("node/n0", "NodeNotReady", "2026-01-01T00:00:00Z", null, null));
        assertThat(faults.get(1).reason()).isEqualTo("NodeNotReady");
        assertThat(faults.getLast().subject()).isEqualTo("node/n63");
    }

    @Test
    void showsWhatAPersonSaysOfAFault() {
        Fault declared = new Fault(new Subject.OfNode("n3"), "DeclaredFaulty", Scenes.NOW, false, "smells of smoke");
        FabricVerdict verdict = Scenes.verdict(
                new FabricVerdict.Circuits(16, 16, 0, 0), List.of(declared), List.of(), "", false, false);
        assertThat(project(verdict, Scenes.synced()).faults())
                .containsExactly(
                        new FaultRecord("node/n3", "DeclaredFaulty", "2026-01-01T00:00:00Z", null, "smells of smoke"));
    }

    @Test
    void theSameVerdictLaterIsTheSameStatus() {
        OpticalFabricStatus first = project(Scenes.faulty(2), Scenes.synced());
        OpticalFabricStatus again = FabricStatusProjector.project(
                Scenes.faulty(2), Scenes.ring(false), Scenes.synced(), first, 3, Scenes.NOW.plusSeconds(900));
        assertThat(again).isEqualTo(first);
    }

    @Test
    void positionsNeverShrinkAndQuarantineIsKept() {
        OpticalFabricStatus longer = new OpticalFabricStatus(
                1L, List.of(), null, null, null, null, 12, List.of("n3/b0.path1"), List.of(), true, null, null);
        OpticalFabricStatus status = FabricStatusProjector.project(
                Scenes.sound(), Scenes.ring(false), Scenes.synced(), longer, 1, Scenes.NOW);
        assertThat(status.positions()).isEqualTo(12);
        assertThat(status.quarantinedPorts()).containsExactly("n3/b0.path1");
        assertThat(project(Scenes.sound(), Scenes.synced()).positions()).isEqualTo(8);
    }

    @Test
    void portsWhoseLightGetsWorseAreNamedUpToAMost() {
        assertThat(project(Scenes.sound(), Scenes.synced()).opticalHealth()).isNull();
        List<DegradingPort> many = IntStream.range(0, 40)
                .mapToObj(port -> new DegradingPort(
                        new Subject.OfPort("ocs-1", "p" + port),
                        new Finding(
                                new Place("pod-1", "eth" + port),
                                Finding.Why.LOSS,
                                2.5,
                                OptionalDouble.empty(),
                                Scenes.NOW),
                        DegradingPort.Course.HELD))
                .toList();
        OpticalHealthStatus told = project(
                        Scenes.with(Scenes.sound(), new FabricVerdict.Optical(320, many, 3, 2.5)), Scenes.synced())
                .opticalHealth();
        assertThat(told.watchedPorts()).isEqualTo(320);
        assertThat(told.degradingPorts()).isEqualTo(40);
        assertThat(told.takenOutPorts()).isEqualTo(3);
        assertThat(told.ports()).hasSize(16);
        assertThat(told.ports().getFirst())
                .isEqualTo(new dev.lightpath.crds.fabric.DegradingPort(
                        "ocs-1/p0",
                        "pod-1/eth0",
                        Scenes.NOW.toString(),
                        "loses 2.5 dB more than at first (too few peers to compare with)",
                        dev.lightpath.crds.fabric.DegradingPort.Course.HELD));
    }

    @Test
    void whatARecordStoodOnIsAdoptedForGood() {
        assertThat(project(Scenes.sound(), Scenes.synced()).adopted()).isTrue();
        FabricVerdict sound = Scenes.sound();
        FabricVerdict empty = Scenes.verdict(
                sound.nodes(),
                new FabricVerdict.Gpus(32, 32, 0),
                sound.circuits(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                false);
        assertThat(project(empty, Scenes.synced()).adopted()).isNull();
        OpticalFabricStatus before = project(Scenes.sound(), Scenes.synced());
        assertThat(FabricStatusProjector.project(empty, Scenes.ring(false), Scenes.synced(), before, 1, Scenes.NOW)
                        .adopted())
                .isTrue();
        assertThat(UnattendedStatus.pending(before, 1, Scenes.NOW).adopted()).isTrue();
    }

    @Test
    void fabricsThatNoPassSawArePending() {
        assertThat(said(UnattendedStatus.pending(null, 1, Scenes.NOW), "Ready")).isEqualTo("Unknown Pending");
    }

    /** A status that is refused as a whole would tell of no node any more. */
    @Test
    void aPortOfALongNameIsToldAsFarAsTheDefinitionTakesIt() {
        Fault fault = new Fault(new Subject.OfPort("n1", "x".repeat(600)), "PortFailed", Scenes.NOW, false, "");
        FabricVerdict verdict =
                Scenes.verdict(new FabricVerdict.Circuits(16, 16, 0, 0), List.of(fault), List.of(), "", false, false);
        assertThat(project(verdict, Scenes.synced()).faults())
                .extracting(FaultRecord::subject)
                .containsExactly("port/n1/" + "x".repeat(504));
    }

    @Test
    void manyFaultsOfOneDevicePushOutNoneOfAnother() {
        List<Fault> faults = new ArrayList<>();
        for (int port = 0; port < 100; port++) {
            faults.add(new Fault(new Subject.OfPort("n1", "p" + port), "PortFailed", Scenes.NOW, true, ""));
        }
        faults.add(new Fault(new Subject.OfNode("n2"), "DeclaredFaulty", Scenes.NOW.minusSeconds(60), true, ""));
        FabricVerdict verdict =
                Scenes.verdict(new FabricVerdict.Circuits(16, 16, 0, 0), faults, List.of(), "", false, false);
        assertThat(project(verdict, Scenes.synced()).faults())
                .hasSize(64)
                .extracting(FaultRecord::subject)
                .contains("node/n2");
    }

    @Test
    void whatOnlyAPersonEndsIsAmongTheFaultsHoweverManyAreNewer() {
        List<Fault> faults = new ArrayList<>();
        for (int index = 0; index < 80; index++) {
            faults.add(new Fault(
                    new Subject.OfNode("n" + index),
                    "NodeNotReady",
                    Scenes.NOW.minusSeconds(index),
                    index % 40 == 39,
                    ""));
        }
        FabricVerdict verdict =
                Scenes.verdict(new FabricVerdict.Circuits(16, 16, 0, 0), faults, List.of(), "", false, false);
        List<FaultRecord> told = project(verdict, Scenes.synced()).faults();
        assertThat(told).hasSize(64);
        assertThat(told.stream().map(FaultRecord::since)).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(told.stream().filter(record -> record.quarantined() != null).map(FaultRecord::subject))
                .containsExactly("node/n39", "node/n79");
    }
}
