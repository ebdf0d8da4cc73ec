package dev.lightpath.cli.cluster.driver;

import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.DriverUse;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.ObjectName;
import dev.lightpath.crds.fabric.LedgerStatus;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath driver transfer fabric/NAME --from ROLE}: TransferScope of the driver's contract. */
@Command(
        name = "transfer",
        description = {
            "Gives the devices of a fabric that another cluster's operator holds to that of this cluster. No light moves."
                    + " The other one can change nothing on them any more.",
            "Without --from it changes nothing and says who holds them. The exit code is 1 if agents of nodes did not"
                    + " answer and kept what they have."
        },
        mixinStandardHelpOptions = true)
public final class TransferCommand implements Callable<Integer> {
    @Parameters(paramLabel = "fabric/NAME", description = "the OpticalFabric of this cluster")
    private String object = "";

    @Option(
            names = "--from",
            paramLabel = "ROLE",
            description = "who holds the devices now, as this command shows it without the option")
    @Nullable
    private String from;

    @Option(
            names = "--highest-epoch",
            paramLabel = "N",
            description =
                    "also set the highest epoch that the driver has stored for this cluster; --from may be its own role"
                            + " then")
    @Nullable
    private Long highestEpoch;

    @Option(
            names = "--older-records",
            description =
                    "give them although they remember later records than there are here. Light that no record here"
                            + " explains is foreign then, and what records ask for is made")
    private boolean olderRecords;

    @Option(
            names = "--endpoint",
            paramLabel = "HOST:PORT",
            description = "instead of the address that the fabric names, if it has one driver")
    @Nullable
    private String endpoint;

    @Mixin
    private DriverAdmin admin = new DriverAdmin();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        String fabric = ObjectName.FABRIC.parse(object);
        if (highestEpoch != null && highestEpoch < 0) {
            throw new BadInput("--highest-epoch: " + highestEpoch + " is not allowed; allowed are 0 and more");
        }
        return cluster.with(api -> {
            String role = DriverLine.role(api, fabric);
            if (role.equals(from) && highestEpoch == null) {
                throw new BadInput("--from: " + from + " is this cluster, which holds them already");
            }
            return transfer(api, api.fabric(fabric), role);
        });
    }

    private int transfer(Cluster api, OpticalFabric fabric, String role) {
        List<DriverUse> drivers = drivers(api, fabric);
        DriverLines lines = new DriverLines(api, admin);
        // of all drivers, before anything is given
        Map<DriverUse, List<DeviceCircuits>> held = lines.ask(drivers, DriverLine::devices);
        String before = from;
        if (before == null) {
            TransferReport report = report(fabric, role, held, 0, lines.away());
            return output.print(report.answer(report.choices()));
        }
        report(fabric, role, held, 0, lines.away()).refuse(before, olderRecords);
        AtomicLong given = new AtomicLong();
        Map<DriverUse, List<DeviceCircuits>> after = lines.ask(held.keySet(), line -> {
            for (DeviceCircuits device : held.getOrDefault(line.driver(), List.of())) {
                if (device.getHoldingRole().equals(before)) {
                    line.transfer(request(device.getDeviceId(), before, role));
                    given.incrementAndGet();
                }
            }
            return line.devices();
        });
        int code = output.print(
                report(fabric, role, after, given.get(), lines.away()).answer(List.of()));
        return lines.away().isEmpty() ? code : 1;
    }

    private static TransferReport report(
            OpticalFabric fabric,
            String role,
            Map<DriverUse, List<DeviceCircuits>> held,
            long given,
            SortedMap<String, String> away) {
        List<TransferReport.Holding> holdings = new ArrayList<>();
        held.forEach((driver, devices) -> holdings.addAll(holdings(driver.endpoint(), devices)));
        LedgerStatus ledger =
                fabric.getStatus() == null ? null : fabric.getStatus().ledger();
        return new TransferReport(
                fabric.getMetadata().getName(), role, ledger == null ? 0 : ledger.revision(), given, holdings, away);
    }

    private TransferScopeRequest request(String device, String before, String role) {
        TransferScopeRequest.Builder request = TransferScopeRequest.newBuilder()
                .setDeviceId(device)
                .setFromRole(before)
                .setToRole(role);
        if (highestEpoch != null) {
            request.setHighestEpoch(highestEpoch);
        }
        return request.build();
    }

    private List<DriverUse> drivers(Cluster api, OpticalFabric fabric) {
        String name = fabric.getMetadata().getName();
        List<OpticalSwitch> switches = api.switches().stream()
                .filter(each -> each.getSpec().fabric().equals(name))
                .toList();
        Set<String> seen = new HashSet<>();
        List<DriverUse> drivers = DriverUse.all(
                        List.of(fabric),
                        switches,
                        DriverUse.anyAgents(List.of(fabric)) ? api.nodes() : List.of(),
                        Integer.MAX_VALUE)
                .stream()
                .filter(driver -> seen.add(driver.endpoint()))
                .toList();
        if (drivers.isEmpty()) {
            throw new BadInput("fabric/" + name + " has no driver: no OpticalSwitch names the fabric");
        }
        if (endpoint == null) {
            return drivers;
        }
        if (!endpoint.matches("[^/]+:[0-9]{1,5}")) {
            throw new BadInput("--endpoint: '" + endpoint + "': allowed is HOST:PORT");
        }
        if (drivers.size() > 1) {
            throw new BadInput("--endpoint: fabric/" + name + " has " + drivers.size() + " drivers: "
                    + String.join(
                            ", ", drivers.stream().map(DriverUse::endpoint).toList()));
        }
        return List.of(new DriverUse(
                "--endpoint",
                endpoint,
                drivers.getFirst().secret(),
                drivers.getFirst().serverName(),
                false));
    }

    private static List<TransferReport.Holding> holdings(String driver, List<DeviceCircuits> devices) {
        SortedMap<String, List<DeviceCircuits>> byRole = new TreeMap<>();
        devices.forEach(device -> byRole.computeIfAbsent(device.getHoldingRole(), unused -> new ArrayList<>())
                .add(device));
        return byRole.entrySet().stream()
                .map(each -> new TransferReport.Holding(
                        driver,
                        each.getKey(),
                        each.getValue().size(),
                        each.getValue().stream()
                                .mapToLong(DeviceCircuits::getHighestEpoch)
                                .reduce(0, (one, other) -> Long.compareUnsigned(one, other) > 0 ? one : other),
                        each.getValue().stream()
                                .mapToLong(DeviceCircuits::getHighestGeneration)
                                .max()
                                .orElse(0)))
                .toList();
    }
}
