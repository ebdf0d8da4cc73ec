/** Where drivers are, and connections to them: addresses, certificates, and how many are called at once. */
@NullMarked
package dev.lightpath.app.driver.endpoint;

import org.jspecify.annotations.NullMarked;
