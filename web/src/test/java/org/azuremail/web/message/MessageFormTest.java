package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.junit.jupiter.api.Test;

/** A message that is written: what is stored, and what is refused at its field. */
class MessageFormTest extends OnMessagePages {

    @Test
    void uploadedFilesAreStored() throws Exception {
        MessageRef ref = create(Map.of("subject", "Uploaded"), Map.of("htmlFile", utf8(HTML), "textFile", utf8("Hi")));

        assertThat(bodies(ref)).isEqualTo(new Bodies(HTML, "Hi"));
        assertThat(browser.open("/messages").textOfAllPages()).contains("Uploaded", "readers", "Pending");
    }

    @Test
    void dateTimeAndZoneAreKeptAsTyped() throws Exception {
        MessageRef ref = create(
                Map.of(
                        "subject",
                        "In Kathmandu",
                        "html",
                        HTML,
                        "when",
                        "later",
                        "date",
                        "2026-03-01",
                        "time",
                        "08:00",
                        "zone",
                        "Asia/Kathmandu"),
                Map.of());

        assertThat(messages.find(ref).orElseThrow().scheduledDate()).hasToString("2026-03-01T02:15:00Z");
        assertThat(browser.text()).contains("1 Mar 2026, 08:00 (Asia/Kathmandu)");
    }

    @Test
    void everyMistakeIsToldAtItsFieldAndNothingTypedIsLost() throws Exception {
        browser.open("/messages/new");

        browser.submit("/messages/new", Map.of("subject", "No body"));
        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("list")).contains("choose the list");
        assertThat(browser.errorAt("htmlFile")).contains("Please provide an HTML file path");

        browser.submit("/messages/new", Map.of("list", "readers", "subject", "a\nb", "html", HTML));
        assertThat(browser.errorAt("subject")).contains("line break");

        browser.submit(
                "/messages/new",
                Map.of("subject", "Hello {{hobby}}"),
                Map.of("htmlFile", utf8("<p>{{hobby}}</p>"), "textFile", new byte[] {(byte) 0xff, (byte) 0xfe}));
        assertThat(browser.errorAt("subject")).contains("unknown merge field {{hobby}}");
        assertThat(browser.errorAt("htmlFile")).contains("unknown merge field {{hobby}}");
        assertThat(browser.errorAt("textFile")).contains("not UTF-8");
        assertThat(browser.page().select("textarea[name=html]").text()).isEqualTo("<p>{{hobby}}</p>");

        browser.submit("/messages/new", Map.of("subject", "Text", "html", "no element at all"));
        assertThat(browser.errorAt("html")).contains("no HTML element");

        browser.submit(
                "/messages/new",
                Map.of("html", HTML, "when", "later", "date", "2025-01-01", "time", "", "zone", "Europe/Berlin"));
        assertThat(browser.errorAt("date")).contains("more than 24 hours past");
        assertThat(browser.page().select("[name=subject]").attr("value")).isEqualTo("Text");
        assertThat(browser.page().select("option[selected]").eachAttr("value")).contains("readers", "Europe/Berlin");
    }

    @Test
    void bodyOverTheLimitIsRefusedAtItsField() throws Exception {
        byte[] large = new byte[5 * 1024 * 1024 + 1];
        java.util.Arrays.fill(large, (byte) 'a');
        browser.open("/messages/new");

        browser.submit("/messages/new", Map.of("list", "readers", "subject", "Large"), Map.of("htmlFile", large));

        assertThat(browser.errorAt("htmlFile")).contains("the limit is 5242880");
    }

    @Test
    void mistakesOfAllFieldsAreToldAtOnce() throws Exception {
        browser.open("/messages/new?list=readers")
                .submit(
                        "/messages/new",
                        Map.of("subject", "", "html", "<p>{{name</p>", "when", "later", "date", "2025-01-01"));

        assertThat(browser.errorAt("subject")).contains("required");
        assertThat(browser.errorAt("html")).contains("line 1", "{{name</p>", "not closed");
        assertThat(browser.errorAt("date")).contains("more than 24 hours past");
        assertThat(browser.page().select(".summary a").eachAttr("href"))
                .as("from top to bottom")
                .containsExactly("#subject", "#html", "#date");
    }
}
