package dev.lightpath.cli.certificates;

import dev.lightpath.console.text.BadInput;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lightpath certificates}. */
@Command(
        name = "certificates",
        description =
                "Prints the Secrets by which operator, driver, its administrator and Prometheus know each other, as YAML for kubectl apply.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nThe authority's key stays in the folder of --authority. ",
        footer = {
            "Keep the folder: with it the command renews the Secrets, and whoever has",
            "an old one is still trusted. Who has the key can be operator or driver."
        })
public final class CertificatesCommand implements Callable<Integer> {
    private static final int MOST_DAYS = 3650;
    private static final String SOLVER = "lightpath-solver";
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    @Option(
            names = "--authority",
            required = true,
            paramLabel = "DIR",
            description = "folder of the certificate authority, which is made if there is none")
    @SuppressWarnings("NullAway.Init")
    private Path authority;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            defaultValue = "lightpath-system",
            description = "of the operator (default: ${DEFAULT-VALUE})")
    private String namespace = "lightpath-system";

    @Option(
            names = "--driver-namespace",
            paramLabel = "NAME",
            defaultValue = "lightpath-drivers",
            description = "of the driver (default: ${DEFAULT-VALUE})")
    private String driverNamespace = "lightpath-drivers";

    @Option(
            names = "--driver",
            paramLabel = "NAME",
            defaultValue = "lightpath-driver",
            description =
                    "of the driver's Service; its Secrets are NAME-tls, NAME-client, NAME-admin and NAME-scraper (default: ${DEFAULT-VALUE})")
    private String driver = "lightpath-driver";

    @Option(
            names = "--solver",
            description = "also the Secret lightpath-solver-tls of workers for searches, in the operator's namespace")
    private boolean solver;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "365",
            description = "that the certificates are valid, 1 to 3650; a new authority is for 3650 (default:"
                    + " ${DEFAULT-VALUE})")
    private int days = 365;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        checkName("--namespace", namespace);
        checkName("--driver-namespace", driverNamespace);
        checkName("--driver", driver);
        if (days < 1 || days > MOST_DAYS) {
            throw new BadInput("--days: " + days + " is not allowed; allowed are 1 to " + MOST_DAYS);
        }
        CertificateAuthority signer = CertificateAuthority.in(authority, MOST_DAYS);
        String name = driver + "." + driverNamespace;
        var server = signer.issue(List.of(name + ".svc", name + ".svc.cluster.local", name, driver), days);
        var client = signer.issue(List.of("lightpath-operator"), days);
        var admin = signer.issue(List.of("lightpath-admin"), days);
        var scraper = signer.issue(List.of("lightpath-scraper"), days);
        spec.commandLine()
                .getOut()
                .print(secret(driverNamespace, driver + "-tls", server) + "---\n"
                        + secret(namespace, driver + "-client", client) + "---\n"
                        + secret(driverNamespace, driver + "-admin", admin) + "---\n"
                        + secret(namespace, driver + "-scraper", scraper)
                        + (solver ? "---\n" + secret(namespace, SOLVER + "-tls", ofSolver(signer)) : ""));
        spec.commandLine().getOut().flush();
        return 0;
    }

    private CertificateAuthority.Identity ofSolver(CertificateAuthority signer) {
        String service = SOLVER + "." + namespace + ".svc";
        return signer.issue(List.of(service, service + ".cluster.local", SOLVER), days);
    }

    private static void checkName(String option, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new BadInput(option + ": '" + name + "' is not allowed; allowed are up to 63 of a-z, 0-9 and -");
        }
    }

    private static String secret(String namespace, String name, CertificateAuthority.Identity identity) {
        return """
                apiVersion: v1
                kind: Secret
                type: kubernetes.io/tls
                metadata:
                  name: %s
                  namespace: %s
                stringData:
                  ca.crt: |
                %s  tls.crt: |
                %s  tls.key: |
                %s""".formatted(
                        name,
                        namespace,
                        identity.authority().indent(4),
                        identity.certificate().indent(4),
                        identity.key().indent(4));
    }
}
