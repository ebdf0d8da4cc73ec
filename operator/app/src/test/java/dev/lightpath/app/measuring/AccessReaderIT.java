package dev.lightpath.app.measuring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.app.driver.TestIdentity;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ApiServerExtension.class)
class AccessReaderIT {
    private static final String NAME = "access-prometheus";

    private KubernetesClient client;
    private AccessReader reader;

    @BeforeEach
    void start(ApiServer server) {
        client = server.client();
        reader = new AccessReader(client, "default");
    }

    @AfterEach
    void stop() {
        client.secrets().inNamespace("default").withName(NAME).delete();
        client.close();
    }

    private void write(Map<String, String> data) {
        client.secrets().inNamespace("default").withName(NAME).delete();
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace("default")
                        .endMetadata()
                        .withStringData(data)
                        .build())
                .create();
    }

    private void unusable(String why) {
        assertThatThrownBy(() -> reader.read(NAME))
                .isInstanceOf(AccessReader.Unusable.class)
                .hasMessageStartingWith("Secret default/" + NAME + why);
    }

    @Test
    void readsTokenAndAuthoritiesOfTheSecretThatSecretNameNames(@TempDir Path folder) throws Exception {
        assertThat(reader.read(null)).as("without secretName").isEqualTo(Access.PLAIN);
        write(Map.of("token", "abc.def\n"));
        assertThat(reader.read(NAME).token()).contains("abc.def");
        assertThat(reader.read(NAME).tls()).isEmpty();
        assertThat(reader.read(NAME).toString()).doesNotContain("abc");
        write(Map.of("token", "abc", "ca.crt", TestIdentity.make(folder, NAME).certificate()));
        assertThat(reader.read(NAME).tls()).isPresent();
    }

    @Test
    void saysWhatIsWrongWithASecret() {
        unusable(" is missing: create it with token, ca.crt or both");
        write(Map.of("password", "abc"));
        unusable(" has neither token nor ca.crt");
        write(Map.of("token", "two\nlines"));
        unusable(": token is no line of printable characters");
        write(Map.of("token", "abc", "ca.crt", "none"));
        unusable(": ca.crt holds no PEM certificates");
    }
}
