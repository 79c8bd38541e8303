package org.azuremail.content;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of the content of a message.
 *
 * @param maxBody the largest HTML body and the largest text body, in bytes of UTF-8
 */
@ConfigurationProperties("azuremail.message")
record ContentProperties(@DefaultValue("5MB") DataSize maxBody) {

    public ContentProperties {
        if (maxBody.toBytes() < 1 || maxBody.compareTo(MessageBodies.MAX_BODY) > 0) {
            throw new IllegalArgumentException("azuremail.message.max-body must lie between 1 byte and 10 MB");
        }
    }
}
