package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ControlPlaneBinaries;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The router of docs/routes.md, run with the service account and the role that the page gives it. */
final class PageRouter implements AutoCloseable {
    private static final Path ROOT = ControlPlaneBinaries.checkout();
    private static final Pattern SCRIPT = Pattern.compile("(?s)```sh\n(.*?)```");
    private static final String ROLE = "lightpath-router";

    private final Installation all;
    private final Path output;
    private final Process process;

    PageRouter(Installation all, String admin, Path folder) throws IOException {
        this.all = all;
        String page = Files.readString(ROOT.resolve("docs/routes.md"));
        assertThat(page)
                .contains("kubectl create clusterrolebinding router --clusterrole=" + ROLE
                        + " --serviceaccount=routing:router");
        Matcher script = SCRIPT.matcher(page);
        assertThat(script.find()).isTrue();
        bind();
        Path kubeconfig = Files.writeString(folder.resolve("router.kubeconfig"), kubeconfig(admin));
        output = folder.resolve("router.out");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script.group(1))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        Path programs = ControlPlaneBinaries.ofCheckout().home().resolve("bin");
        builder.environment().merge("PATH", programs.toString(), (path, ours) -> ours + ":" + path);
        process = builder.start();
    }

    /** The administrator's, with the token of the router in the place of the administrator's certificate. */
    @SuppressWarnings("unchecked") // as YAML has it
    private String kubeconfig(String admin) {
        Map<String, Object> config = Serialization.unmarshal(admin, Map.class);
        for (Map<String, Object> user : (List<Map<String, Object>>) config.get("users")) {
            user.put("user", Map.of("token", all.token("routing", "router")));
        }
        return Serialization.asYaml(config);
    }

    /** The roles of the installation are not there otherwise: its operator is an administrator. */
    private void bind() throws IOException {
        ApiServer.namespace(all.client, "routing");
        try (InputStream yaml = new FileInputStream(
                ROOT.resolve("deploy/kubernetes/access/users.yaml").toFile())) {
            all.client.load(yaml).items().stream()
                    .filter(object -> object instanceof ClusterRole
                            && object.getMetadata().getName().equals(ROLE))
                    .forEach(role -> all.client.resource(role).serverSideApply());
        }
        all.client
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("router")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", ROLE)
                        .addNewSubject("", "ServiceAccount", "router", "routing")
                        .build())
                .serverSideApply();
    }

    String said() throws IOException {
        return Files.readString(output);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        all.client.rbac().clusterRoleBindings().withName("router").delete();
        all.client.rbac().clusterRoles().withName(ROLE).delete();
    }
}
