package dev.lightpath.cli.cluster.discover;

import dev.lightpath.cli.Json;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.change.Act;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.ObjectName;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.reading.DiscoveryCodec;
import dev.lightpath.reading.OcsIntentReader;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kubectl lightpath discover fabric/NAME}. */
@Command(
        name = "discover",
        description = {
            "Finds which port of an optical switch leads to which far end, and what is not as spec.wiring says.",
            "The operator probes ports that nobody uses, one circuit at a time. This asks it to, and shows what it found."
                    + " Switches that it was asked about before are not asked again, unless --again is given.",
            "Exit code 0: as written, or not over yet. 1: something is not as written."
        },
        mixinStandardHelpOptions = true)
public final class DiscoverCommand implements Callable<Integer> {
    /** What is waited for is told if it lasts as long as that. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    /** What {@code --output} may say. */
    public enum Format {
        table,
        json,
        yaml
    }

    @Parameters(paramLabel = "fabric/NAME", description = "the OpticalFabric")
    private String object = "";

    @Option(names = "--switch", paramLabel = "NAME", description = "this OpticalSwitch only; may be repeated")
    private List<String> only = new ArrayList<>();

    @Option(names = "--again", description = "begin anew where a search is over or under way")
    private boolean again;

    @Option(names = "--stop", description = "end the search; what was found stays")
    private boolean stop;

    @Option(names = "--wait", description = "wait until it is over, and show how far it is on standard error")
    private boolean wait;

    @Option(
            names = "--timeout",
            paramLabel = "MINUTES",
            defaultValue = "60",
            description = "wait at most so long for each switch; default: ${DEFAULT-VALUE}")
    private int minutes = 60;

    @Option(
            names = "--write",
            paramLabel = "DIR",
            description = "write an OpticalSwitch manifest for each switch whose search is over: DIR/NAME.yaml")
    @Nullable
    private Path write;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "table (for people), json (one document) or yaml (the manifests): ${COMPLETION-CANDIDATES}")
    private Format format = Format.table;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it before the command runs
    private CommandSpec command;

    @Override
    public Integer call() {
        String name = ObjectName.FABRIC.parse(object);
        check();
        return cluster.with(api -> stop ? stop(api, chosen(api, api.fabric(name))) : discover(api, api.fabric(name)));
    }

    /** Before the operator is asked: a search may take an hour, and probes ports. */
    private void check() {
        if (minutes < 1) {
            throw new BadInput("--timeout " + minutes + ": allowed is 1 or more minutes");
        }
        if (stop && (again || wait || write != null)) {
            throw new BadInput("--stop ends the search: leave out --again, --wait and --write");
        }
        if (write != null) {
            require(write);
        }
    }

    private static void require(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new BadInput("--write " + folder + " is no directory, and cannot be made one", e);
        }
        if (!Files.isWritable(folder)) {
            throw new BadInput("--write " + folder + ": you may not write there");
        }
    }

    private int discover(Cluster api, OpticalFabric fabric) {
        List<OpticalSwitch> chosen = chosen(api, fabric);
        String now = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
        for (OpticalSwitch of : chosen) {
            if (again || DiscoveryCodec.request(of).isEmpty()) {
                Act.patch(
                        resource(api, of),
                        Map.of("metadata", Map.of("annotations", Map.of(LightpathAnnotations.DISCOVER, now))));
                progress("switch/" + of.getMetadata().getName() + ": the operator is asked to find its fibres");
            }
        }
        if (wait) {
            progress("waiting; if you interrupt this, the search goes on: end it with --stop");
            chosen.forEach(of -> awaitEnd(api, of));
        }
        List<OpticalSwitch> seen = chosen.stream()
                .map(of -> Objects.requireNonNullElse(resource(api, of).get(), of))
                .toList();
        return show(api, fabric, seen);
    }

    private List<OpticalSwitch> chosen(Cluster api, OpticalFabric fabric) {
        String name = fabric.getMetadata().getName();
        if (fabric.getSpec().ocs() == null) {
            throw new BadInput("fabric/" + name
                    + " has no optical switches: on a ring the devices name their far ends, see the condition Ready");
        }
        List<OpticalSwitch> all = api.switches().stream()
                .filter(of -> name.equals(of.getSpec().fabric()))
                .toList();
        List<String> names = all.stream().map(of -> of.getMetadata().getName()).toList();
        for (String wanted : only) {
            if (!names.contains(wanted)) {
                throw BadInput.unknown("switch", wanted, " of fabric " + name, names);
            }
        }
        if (all.isEmpty()) {
            throw new BadInput("fabric/" + name
                    + " has no OpticalSwitch: create them with spec.wiring: {unknown: {}} where fibres are not known");
        }
        return all.stream()
                .filter(of -> only.isEmpty() || only.contains(of.getMetadata().getName()))
                .toList();
    }

    private int stop(Cluster api, List<OpticalSwitch> chosen) {
        for (OpticalSwitch of : chosen) {
            boolean asked = DiscoveryCodec.request(of).isPresent();
            if (asked) {
                resource(api, of)
                        .patch(
                                new PatchContext.Builder()
                                        .withPatchType(PatchType.JSON_MERGE)
                                        .withFieldManager(Act.FIELD_MANAGER)
                                        .build(),
                                "{\"metadata\": {\"annotations\": {\"" + LightpathAnnotations.DISCOVER + "\": null}}}");
            }
            print("switch/" + of.getMetadata().getName() + (asked ? " stopped" : " was not asked for"));
        }
        return 0;
    }

    private static Resource<OpticalSwitch> resource(Cluster api, OpticalSwitch of) {
        return api.client()
                .resources(OpticalSwitch.class)
                .withName(of.getMetadata().getName());
    }

    private void awaitEnd(Cluster api, OpticalSwitch of) {
        Progress told = new Progress();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        while (!isOver(api, of, told, Math.min(LOOK.toNanos(), end - System.nanoTime()))) {
            OpticalSwitch now = resource(api, of).get();
            if (now != null) {
                told.passed(SwitchFibres.of(now)).ifPresent(this::progress);
            }
            if (System.nanoTime() >= end) {
                throw new BadInput(
                        "switch/" + of.getMetadata().getName() + " is not over after " + minutes + " minutes ("
                                + told.last() + "): it goes on; ask again without --again, or end it with --stop");
            }
        }
    }

    private boolean isOver(Cluster api, OpticalSwitch of, Progress told, long nanos) {
        try {
            resource(api, of)
                    .waitUntilCondition(
                            now -> {
                                SwitchFibres fibres = now == null ? null : SwitchFibres.of(now);
                                if (fibres == null || !fibres.asked()) {
                                    return true;
                                }
                                told.heard(fibres).ifPresent(this::progress);
                                return fibres.over();
                            },
                            Math.max(1, nanos),
                            TimeUnit.NANOSECONDS);
            return true;
        } catch (KubernetesClientTimeoutException notYet) {
            return false;
        }
    }

    private int show(Cluster api, OpticalFabric fabric, List<OpticalSwitch> seen) {
        List<SwitchFibres> fibres = seen.stream().map(SwitchFibres::of).toList();
        OcsIntent intent = new OcsIntentReader("").read(fabric, seen, List.of()).orElseThrow();
        List<FoundManifest> manifests = seen.stream()
                .flatMap(of -> FoundManifest.of(of, intent).stream())
                .toList();
        KubernetesSerialization yaml = api.client().getKubernetesSerialization();
        if (write != null) {
            write(write, manifests, yaml);
            if (only.isEmpty() && fibres.stream().allMatch(SwitchFibres::over)) {
                PodCounts.differences(intent, manifests).forEach(this::progress);
            }
        }
        switch (format) {
            case table -> print(FibresPage.of(fibres).render().stripTrailing());
            case json -> print(Json.write(Map.of("switches", fibres)));
            case yaml ->
                print(manifests.stream()
                        .map(each -> each.yaml(yaml))
                        .collect(Collectors.joining())
                        .stripTrailing());
        }
        return fibres.stream().allMatch(of -> of.findings().isEmpty()) ? 0 : 1;
    }

    private void write(Path folder, List<FoundManifest> manifests, KubernetesSerialization yaml) {
        try {
            for (FoundManifest manifest : manifests) {
                Path file = folder.resolve(manifest.name() + ".yaml");
                Files.writeString(file, manifest.yaml(yaml));
                progress(file + " written" + manifest.omission());
            }
        } catch (IOException e) {
            throw new BadInput("--write " + folder + ": " + e.getMessage(), e);
        }
    }

    private void progress(String line) {
        PrintWriter err = command.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    private void print(String text) {
        PrintWriter out = command.commandLine().getOut();
        out.println(text);
        out.flush();
    }
}
