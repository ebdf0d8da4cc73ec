package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.planner.words.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Command and arguments of a container, as far as they can be read without running them: plain words, also inside a
 * shell script.
 *
 * @param line with dashes for underscores
 */
record CommandLine(String line) {
    /** What follows is not read. */
    private static final int LONGEST = 32 * 1024;

    private static final String END = "(?=$|[\\s;&|\"'])";

    /** Flags; the axes of MaxText, which have no dashes before them; and the count of processes of mpirun. */
    private static final Pattern FLAG =
            Pattern.compile("(?<=^|[\\s\"'])(--[a-z][a-z.-]{0,60}+|-np|(?:ici|dcn)-[a-z]{1,20}-parallelism)"
                    + "(?:[=\\s]+(?:[0-9]{1,9}:)?([0-9]{1,9}))?" + END);

    /** A rendezvous that gives ranks in the order of the host names. */
    private static final Pattern ARRIVAL = Pattern.compile("--rdzv-backend[=\\s]+[\"']?(c10d|etcd-v2|etcd)" + END);

    /** A mapping of mpirun that gives neighbouring ranks to different pods. */
    private static final Pattern ROUND = Pattern.compile("--(?:map|rank)-by[=\\s]+[\"']?node" + END);

    private static final String PROGRAM = "(?<=^|[\\s/;&|\"'])";
    private static final Pattern TORCHRUN = Pattern.compile(PROGRAM + "(torchrun|torch\\.distributed\\.run)" + END);
    private static final Pattern DEEPSPEED =
            Pattern.compile("(?<=^|[\\s;&|\"']|bin/)deepspeed(?=\\s+(?:--[a-z]|\\S{1,200}\\.py))");

    static CommandLine of(JsonNode container) {
        StringBuilder line = new StringBuilder();
        for (String part : List.of("command", "args")) {
            for (JsonNode word : container.path(part)) {
                if (line.length() < LONGEST) {
                    line.append(' ').append(word.asText());
                }
            }
        }
        return new CommandLine(Words.cut(line.toString(), LONGEST).replace('_', '-'));
    }

    /** Flags with their dashes, and their numbers, blank where there is none; the last of a name counts. */
    Map<String, String> flags() {
        Map<String, String> flags = new LinkedHashMap<>();
        Matcher flag = FLAG.matcher(line);
        while (flag.find()) {
            @Nullable String value = flag.group(2);
            flags.put(flag.group(1), value == null ? "" : value);
        }
        return flags;
    }

    /** The rendezvous of torchrun that takes ranks from host names. */
    Optional<String> rendezvousByHostName() {
        Matcher arrival = ARRIVAL.matcher(line);
        return arrival.find() ? Optional.of(arrival.group(1)) : Optional.empty();
    }

    /** The mapping of mpirun that goes round the pods. */
    Optional<String> mappingRoundPods() {
        Matcher round = ROUND.matcher(line);
        return round.find() ? Optional.of(round.group()) : Optional.empty();
    }

    boolean runsTorchrun() {
        return TORCHRUN.matcher(line).find();
    }

    /** By its launcher, which reads hosts from a file, or starts the ranks of its own pod alone. */
    boolean runsDeepspeedAlone() {
        return DEEPSPEED.matcher(line).find()
                && !runsTorchrun()
                && !line.contains("--hostfile")
                && !line.contains("--no-ssh");
    }
}
