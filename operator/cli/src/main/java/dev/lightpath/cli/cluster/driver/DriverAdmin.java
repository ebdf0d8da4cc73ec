package dev.lightpath.cli.cluster.driver;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.DriverUse;
import dev.lightpath.console.text.BadInput;
import io.fabric8.kubernetes.api.model.Secret;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** As whom a driver is asked: with a certificate of a Secret or of files; without TLS as nobody. */
final class DriverAdmin {
    private static final String USUAL = "lightpath-drivers/lightpath-driver-admin";

    @Option(
            names = "--secret",
            paramLabel = "NAMESPACE/NAME",
            description = "with tls.crt, tls.key and ca.crt, whose certificate has role admin in driver.yaml (default:"
                    + " NAME-admin in the namespace of the driver's Service NAME, else " + USUAL + ")")
    @Nullable
    private String secret;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "instead of a Secret: PEM of the certificate, with --key and --authority")
    @Nullable
    private Path certificate;

    @Option(names = "--key", paramLabel = "FILE", description = "PEM of its key, PKCS#8")
    @Nullable
    private Path key;

    @Option(names = "--authority", paramLabel = "FILE", description = "PEM of the authority that the driver's is of")
    @Nullable
    private Path authority;

    private final Map<String, ChannelCredentials> ofSecrets = new ConcurrentHashMap<>();

    /** @throws BadInput when something is missing, or is no PEM */
    ChannelCredentials credentials(Cluster cluster, DriverUse driver) {
        if (driver.secret().isEmpty()) {
            return InsecureChannelCredentials.create();
        }
        boolean all = certificate != null && key != null && authority != null;
        boolean none = certificate == null && key == null && authority == null;
        if (!all && !none || all && secret != null) {
            throw new BadInput("allowed are --certificate, --key and --authority together, or --secret");
        }
        return certificate != null && key != null && authority != null
                ? ofFiles(certificate, key, authority)
                : ofSecrets.computeIfAbsent(secret == null ? usual(driver) : secret, name -> ofSecret(cluster, name));
    }

    private static String usual(DriverUse driver) {
        return driver.service()
                .map(service -> service.namespace() + "/" + service.name() + "-admin")
                .orElse(USUAL);
    }

    private static ChannelCredentials ofFiles(Path certificate, Path key, Path authority) {
        return credentials("--certificate, --key, --authority", read(certificate), read(key), read(authority));
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new BadInput(file + ": cannot be read", e);
        }
    }

    static ChannelCredentials ofSecret(Cluster cluster, String name) {
        String[] parts = name.split("/", -1);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new BadInput("--secret: '" + name + "': allowed is NAMESPACE/NAME");
        }
        Secret secret = cluster.client()
                .secrets()
                .inNamespace(parts[0])
                .withName(parts[1])
                .get();
        if (secret == null) {
            throw new BadInput("there is no Secret " + name
                    + ": kubectl lightpath certificates and the chart make it;"
                    + " --secret names another, --certificate files");
        }
        return credentials(
                "Secret " + name,
                data(secret, name, "tls.crt"),
                data(secret, name, "tls.key"),
                data(secret, name, "ca.crt"));
    }

    private static byte[] data(Secret secret, String name, String key) {
        String text = secret.getData() == null ? null : secret.getData().get(key);
        if (text == null) {
            throw new BadInput("Secret " + name + " has no " + key);
        }
        return Base64.getMimeDecoder().decode(text);
    }

    private static ChannelCredentials credentials(String where, byte[] certificate, byte[] key, byte[] authority) {
        try {
            return TlsChannelCredentials.newBuilder()
                    .keyManager(in(certificate), in(key))
                    .trustManager(in(authority))
                    .build();
        } catch (IOException | IllegalArgumentException e) {
            throw new BadInput(where + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static InputStream in(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }
}
