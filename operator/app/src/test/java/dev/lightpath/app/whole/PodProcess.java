package dev.lightpath.app.whole;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process of a pod, started with the command, the variables and the files that a kubelet would give it. Two things
 * differ, because it shares a host with others: its volumes are in a folder of its own, and the host name of rank 0 is
 * the loopback address.
 */
final class PodProcess implements AutoCloseable {
    private static final Pattern REFERENCE = Pattern.compile("[$][(]([A-Za-z_][A-Za-z0-9_]*)[)]");
    private static final Pattern FIELD = Pattern.compile("metadata[.](labels|annotations)\\['(.*)'\\]");

    private final Process process;
    private final Path log;

    /**
     * @param folder of this process alone
     * @param programs where commands are looked for
     */
    PodProcess(Pod pod, Path folder, Path programs, Path workingFolder) throws IOException {
        Container container = pod.getSpec().getContainers().getFirst();
        Map<String, String> mounts = new LinkedHashMap<>();
        for (VolumeMount mount : container.getVolumeMounts()) {
            Path at = Files.createDirectories(folder.resolve(mount.getName()));
            mounts.put(mount.getMountPath(), at.toString());
            for (Volume volume : pod.getSpec().getVolumes()) {
                if (volume.getName().equals(mount.getName()) && volume.getDownwardAPI() != null) {
                    for (DownwardAPIVolumeFile item : volume.getDownwardAPI().getItems()) {
                        Files.writeString(
                                at.resolve(item.getPath()),
                                field(pod, item.getFieldRef().getFieldPath()));
                    }
                }
            }
        }
        this.log = folder.resolve("log");
        List<String> command = new ArrayList<>(container.getCommand());
        command.set(0, programs.resolve(command.getFirst()).toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(workingFolder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment(pod, container, mounts));
        // one thread for each of several processes on one machine
        builder.environment().put("OMP_NUM_THREADS", "1");
        this.process = builder.start();
    }

    private static Map<String, String> environment(Pod pod, Container container, Map<String, String> mounts) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (EnvVar variable : container.getEnv()) {
            environment.put(
                    variable.getName(),
                    variable.getValueFrom() == null
                            ? expanded(variable.getValue() == null ? "" : variable.getValue(), environment)
                            : field(pod, variable.getValueFrom().getFieldRef().getFieldPath()));
        }
        String master = environment.getOrDefault("MASTER_ADDR", "127.0.0.1");
        environment.replaceAll((name, value) -> {
            String here = value.replace(master, "127.0.0.1");
            for (var mount : mounts.entrySet()) {
                here = here.replace(mount.getKey(), mount.getValue());
            }
            return here;
        });
        return environment;
    }

    private static String expanded(String value, Map<String, String> before) {
        return REFERENCE
                .matcher(value)
                .replaceAll(found -> Matcher.quoteReplacement(before.getOrDefault(found.group(1), found.group())));
    }

    private static String field(Pod pod, String path) {
        Matcher field = FIELD.matcher(path);
        if (!field.matches()) {
            throw new AssertionError("this test knows no field " + path);
        }
        Map<String, String> of = field.group(1).equals("labels")
                ? pod.getMetadata().getLabels()
                : pod.getMetadata().getAnnotations();
        return of.getOrDefault(field.group(2), "");
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() {
        return process.exitValue();
    }

    String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** As the death of its node does, with all that it started. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }
}
