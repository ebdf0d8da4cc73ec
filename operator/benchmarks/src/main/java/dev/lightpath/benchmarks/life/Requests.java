package dev.lightpath.benchmarks.life;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was asked of the API server, by its audit log. Left out is what goes with time or with the operator's start:
 * Leases, its look at admission policies, and the first words about each Node.
 */
final class Requests {
    private record Request(Instant at, String what) {}

    private static final Set<String> BY_THE_CLOCK =
            Set.of("", "leases", "validatingadmissionpolicies", "validatingadmissionpolicybindings");

    private final List<Request> all = new ArrayList<>();
    private final Set<String> toldOf = new HashSet<>();

    static Requests of(Path auditLog) {
        Requests requests = new Requests();
        ObjectMapper json = new ObjectMapper();
        try (BufferedReader lines = Files.newBufferedReader(auditLog)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                requests.add(json.readTree(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return requests;
    }

    /** An entry of the log. What is about no object, such as discovery, does not count. */
    void add(JsonNode entry) {
        JsonNode object = entry.path("objectRef");
        String resource = object.path("resource").asText();
        String part = object.path("subresource").asText();
        boolean first = resource.equals("nodes")
                && part.equals("status")
                && toldOf.add(object.path("name").asText());
        if (BY_THE_CLOCK.contains(resource) || first) {
            return;
        }
        all.add(new Request(
                Instant.parse(entry.path("requestReceivedTimestamp").asText()),
                entry.path("verb").asText().toUpperCase(Locale.ROOT)
                        + " "
                        + resource
                        + (part.isEmpty() ? "" : "/" + part)));
    }

    /** How many there were of each verb and object, from an instant until before another. */
    SortedMap<String, Integer> within(Instant begin, Instant end) {
        SortedMap<String, Integer> counted = new TreeMap<>();
        for (Request request : all) {
            if (!request.at().isBefore(begin) && request.at().isBefore(end)) {
                counted.merge(request.what(), 1, Integer::sum);
            }
        }
        return counted;
    }
}
