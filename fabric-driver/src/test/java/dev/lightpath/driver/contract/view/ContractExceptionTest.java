package dev.lightpath.driver.contract.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContractExceptionTest {
    @Test
    void whatACallerWroteIsShownOnOneLineAndFitsIntoTrailers() {
        String name = "a\nb\u0000".repeat(100_000);
        ContractException refused = new ContractException(
                Code.NOT_FOUND,
                ErrorReason.ERROR_REASON_NO_SUCH_DEVICE,
                "no device '" + name + "'",
                Map.of("device_id", name));

        assertThat(refused.getMessage()).startsWith("no device 'a b a b").hasSizeLessThan(1100);
        assertThat(refused.getMessage().lines()).hasSize(1);
        assertThat(refused.metadata().get("device_id")).startsWith("a b a b").hasSizeLessThan(300);
    }
}
