package dev.lightpath.app.lead;

import dev.lightpath.app.driver.EpochBook;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The fencing epoch in ConfigMap {@code lightpath-epoch}: raised by compare-and-set, so no two terms ever get the same
 * one. A Lease's transitions would not do: they stay when the same identity returns and restart with a new Lease.
 *
 * <p>Beside it stand the identity of the installation and the holders of the last epochs ({@link EpochBook}). An epoch
 * is written here before it is used, so one that a driver reports and that was not given here proves that this API
 * server forgot it, or that another operator writes.
 */
public final class EpochCounter {
    private static final int ATTEMPTS = 20;
    /** Leader changes that an operator outlives which waits for a person. */
    private static final int REMEMBERED = 256;

    private static final int IDENTITY_CHARACTERS = 12;

    private final KubernetesClient client;
    private final String namespace;
    private final String view;

    /**
     * @param namespace the operator's own
     * @param view URL at which this process shows its last World; empty: what is written stays, somebody else is to be
     *     asked
     */
    public EpochCounter(KubernetesClient client, String namespace, String view) {
        this.client = client;
        this.namespace = namespace;
        this.view = view;
    }

    /**
     * An epoch that was given.
     *
     * @param holder under whose name it is used
     * @param book in which it stands
     */
    public record Given(long epoch, String holder, EpochBook book) {}

    /**
     * Raises the counter, above what it was and above the floor, and gives its new value to a process.
     *
     * @throws IllegalStateException when what is stored is no number, or others keep raising it
     */
    public Given raiseAbove(long floor, String process) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ConfigMap stored = stored();
            EpochBook before = book(stored);
            long next = Math.max(floor, value(stored)) + 1;
            String installation = before.installation().isEmpty() ? identity() : before.installation();
            SortedMap<Long, String> holders = new TreeMap<>(before.holders());
            EpochBook identified = new EpochBook(installation, holders, next);
            holders.put(next, identified.holder(process));
            while (holders.size() > REMEMBERED) {
                holders.pollFirstEntry();
            }
            EpochBook book = new EpochBook(installation, holders, next);
            try {
                store(stored, next, book);
                return new Given(next, book.holder(process), book);
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
            }
        }
        throw new IllegalStateException("ConfigMap " + namespace + "/" + LightpathNames.EPOCH_CONFIG_MAP
                + " is being raised by others all the time");
    }

    /** What is written now. */
    public EpochBook read() {
        return book(stored());
    }

    private @Nullable ConfigMap stored() {
        return client.configMaps()
                .inNamespace(namespace)
                .withName(LightpathNames.EPOCH_CONFIG_MAP)
                .get();
    }

    private static String identity() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, IDENTITY_CHARACTERS);
    }

    /** Lines that are no epoch with its holder count for nothing: what they said is then asked of a person. */
    private static EpochBook book(@Nullable ConfigMap stored) {
        Map<String, String> data = stored == null || stored.getData() == null ? Map.of() : stored.getData();
        SortedMap<Long, String> holders = new TreeMap<>();
        data.getOrDefault(LightpathNames.HOLDERS_KEY, "").lines().forEach(line -> {
            String[] words = line.strip().split(" ", 2);
            if (words.length == 2 && words[0].matches("[1-9][0-9]{0,17}")) {
                holders.put(Long.parseLong(words[0]), words[1]);
            }
        });
        return new EpochBook(data.getOrDefault(LightpathNames.INSTALLATION_KEY, ""), holders, 0);
    }

    private void store(@Nullable ConfigMap stored, long next, EpochBook book) {
        Map<String, String> data = new HashMap<>();
        data.put(LightpathNames.EPOCH_KEY, Long.toString(next));
        if (!view.isEmpty()) {
            data.put(LightpathNames.VIEW_KEY, view);
        }
        data.put(LightpathNames.INSTALLATION_KEY, book.installation());
        data.put(
                LightpathNames.HOLDERS_KEY,
                book.holders().entrySet().stream()
                        .map(given -> given.getKey() + " " + given.getValue())
                        .collect(Collectors.joining("\n")));
        if (stored == null) {
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName(LightpathNames.EPOCH_CONFIG_MAP)
                            .addToLabels(LightpathLabels.MANAGED_BY, LightpathLabels.LIGHTPATH)
                            .endMetadata()
                            .withData(data)
                            .build())
                    .create();
            return;
        }
        ConfigMap raised = new ConfigMapBuilder(stored).addToData(data).build();
        client.resource(raised)
                .lockResourceVersion(stored.getMetadata().getResourceVersion())
                .update();
    }

    private long value(@Nullable ConfigMap stored) {
        String text = stored == null || stored.getData() == null
                ? null
                : stored.getData().get(LightpathNames.EPOCH_KEY);
        if (text == null) {
            return 0;
        }
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalStateException(
                    "ConfigMap " + namespace + "/" + LightpathNames.EPOCH_CONFIG_MAP + ": epoch '" + text
                            + "' is no whole number; write one above the epochs that drivers report",
                    e);
        }
    }
}
