package dev.lightpath.app.driver;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Who waits until the circuits of a device of one driver are those of a digest. Guarded by its owner. */
final class DigestWaits {
    private record Wait(String digest, CompletableFuture<Void> reached) {}

    private final Map<String, List<Wait>> waits = new HashMap<>();

    /** Is completed by whom {@link #over} tells of it. */
    CompletableFuture<Void> add(String device, String digest) {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        waits.computeIfAbsent(device, key -> new ArrayList<>()).add(new Wait(digest, reached));
        return reached;
    }

    /**
     * Ends the waits for what a device shows now, and forgets those that their owner has completed otherwise.
     *
     * @param shown the digest, if the device is known; asked where somebody waits
     * @return those that are over; to be completed outside of any lock
     */
    List<CompletableFuture<Void>> over(String device, Supplier<Optional<String>> shown) {
        List<CompletableFuture<Void>> reached = new ArrayList<>();
        List<Wait> waiting = waits.getOrDefault(device, List.of());
        if (!waiting.isEmpty()) {
            Optional<String> digest = shown.get();
            waiting.removeIf(wait -> wait.reached().isDone()
                    || (digest.equals(Optional.of(wait.digest())) && reached.add(wait.reached())));
            if (waiting.isEmpty()) {
                waits.remove(device);
            }
        }
        return reached;
    }
}
