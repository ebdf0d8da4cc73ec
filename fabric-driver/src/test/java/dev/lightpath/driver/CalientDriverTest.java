package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.Tl1Device;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The commands of Calient where something is there already, or the way to the device is cut. */
final class CalientDriverTest extends ManagedTrial {
    private CalientPlant plant(String quirks) throws Exception {
        CalientPlant plant = new CalientPlant(directory, 16, quirks);
        open.add(plant);
        return plant;
    }

    /** Gives commands as somebody else, and waits until the last is answered. */
    private static void enter(CalientPlant plant, String... commands) throws Exception {
        try (Socket other = new Socket("127.0.0.1", plant.port())) {
            other.setSoTimeout(20_000);
            BufferedReader said =
                    new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.US_ASCII));
            String all = "ACT-USER::admin:1::" + ManagedPlant.PASSWORD + ";" + String.join("", commands);
            other.getOutputStream().write(all.getBytes(StandardCharsets.US_ASCII));
            for (int answer = 0; answer <= commands.length; answer++) {
                assertThat(said.lines().filter(line -> line.startsWith("M ")).findFirst())
                        .hasValueSatisfying(line -> assertThat(line).endsWith("COMPLD"));
            }
        }
    }

    @Test
    void aConnectionOfOthersThatIsOnlyEnteredKeepsItsPorts() throws Exception {
        CalientPlant plant = plant("replaces");
        enter(plant, "ENT-CRS::1.1.1,1.1.2:2::THEIRS,1WAY;");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation refused = apply(
                driver,
                request("taken").addConnects(Requests.key("1.1.1->1.1.3")).build());
        assertThat(refused.getOutcome()).isEqualTo(Outcome.OUTCOME_REJECTED);
        assertThat(refused.getItems(0).getReason()).isEqualTo(ItemReason.ITEM_REASON_PORT_IN_USE);
        assertThat(refused.getItems(0).getNativeText())
                .isEqualTo("RTRV-CRS shows connection 1.1.1->1.1.2 on a port of 1.1.1->1.1.3");
        assertThat(plant.truth()).isEmpty();
    }

    @Test
    void aConnectionOfItsOwnThatACutLeftEnteredIsDeleted() throws Exception {
        CalientPlant plant = plant("");
        enter(plant, "ENT-CRS::1.1.1,1.1.2:2::LIGHTPATH,1WAY;", "ENT-CRS::1.1.4,1.1.3:3::LIGHTPATH,1WAY;");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation applied = apply(
                driver,
                request("anew").addConnects(Requests.key("1.1.1->1.1.3")).build());
        assertThat(applied.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).containsExactly("1.1.1->1.1.3");
    }

    @Test
    void aConnectionOfOthersIsBrokenByItsOwnName() throws Exception {
        CalientPlant plant = plant("");
        enter(plant, "ENT-CRS::1.1.1,1.1.2:2::THEIRS,1WAY;", "ACT-CRS::1.1.1,1.1.2:3::1.1.1>1.1.2,THEIRS;");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation broken = apply(
                driver,
                request("break").addDisconnects(Requests.key("1.1.1->1.1.2")).build());
        assertThat(broken.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).isEmpty();
    }

    @Test
    void aDeviceOfTheOtherDialectIsOneLine() throws Exception {
        Tl1Plant polatis = new Tl1Plant(directory, "ports: 16", "");
        open.add(polatis);
        Tl1Device device = polatis.device();
        leavesAloneAndSays(
                new AdapterConfig.Tl1(List.of(new Tl1Device(
                        device.id(),
                        device.host(),
                        device.port(),
                        device.user(),
                        device.passwordFile(),
                        AdapterConfig.Tl1Dialect.CALIENT,
                        "",
                        device.poll()))),
                "DENY ICNV /*Input, Command Not Valid*/");
    }

    @Test
    void aSwitchOfOneSideHasNoSuchPorts() {
        assertThatThrownBy(() -> new Tl1Plant(directory, "ports: 16", AdapterConfig.Tl1Dialect.CALIENT, ""))
                .hasMessageContaining("'ocs-1' has not two sides of one size; dialect calient needs them");
    }

    @Test
    void aSessionThatIsCutAnywhereInAChangeMovesNoCircuitTwice() throws Exception {
        CalientPlant plant = plant("blocks, terminal, waits");
        try (CutProxy proxy = new CutProxy(plant.port())) {
            Tl1Device right = plant.device();
            movesNoCircuitTwice(
                    plant,
                    proxy,
                    driver(new AdapterConfig.Tl1(List.of(new Tl1Device(
                            right.id(),
                            right.host(),
                            proxy.port(),
                            right.user(),
                            right.passwordFile(),
                            right.dialect(),
                            "",
                            right.poll())))),
                    2500,
                    Set.of(
                            List.of(),
                            List.of("1.1.1->1.2.1"),
                            List.of("1.1.2->1.2.2"),
                            List.of("1.1.1->1.2.1", "1.1.2->1.2.2")));
        }
    }
}
